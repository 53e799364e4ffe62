import { Link } from '@tanstack/react-router';
import { Messages } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { useNow } from '../parts/time.ts';
import { When } from '../parts/when.tsx';

const SHOWN = 300;

/** The newest messages of a queue, read again every two seconds. */
export function MessageTable({
  definition,
  isArchived,
}: {
  readonly definition: string;
  readonly isArchived: boolean;
}) {
  const { data, error, refetch } = useOperation(
    Messages,
    {
      filter: {
        definitions: [definition],
        statuses: isArchived ? ['SUCCEEDED'] : ['QUEUED', 'RUNNING'],
      },
      after: null,
    },
    { refreshMs: 2_000 },
  );
  const now = useNow();
  const messages = data?.jobs?.nodes;
  if (messages === undefined || messages.length === 0)
    return (
      <ListStates error={error} onRetry={() => void refetch()} count={messages?.length}>
        <Empty title={isArchived ? 'Nothing is archived' : 'No messages wait'}>
          <p>
            {isArchived ? 'Archived messages are kept as long as ended jobs.' : 'What is sent shows up here.'}
          </p>
        </Empty>
      </ListStates>
    );
  return (
    <section className="card table-scroll" aria-label={isArchived ? 'Archived messages' : 'Live messages'}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Id</th>
            <th scope="col">Message</th>
            <th scope="col">Reads</th>
            <th scope="col">Sent</th>
            <th scope="col">{isArchived ? 'Archived' : 'Visible'}</th>
          </tr>
        </thead>
        <tbody>
          {messages.map((message) => (
            <tr key={message.id}>
              <td className="num">
                <Link to="/jobs/$jobId" params={{ jobId: message.uuid }} search={{}}>
                  {message.sourceRef ?? message.uuid.slice(0, 8)}
                </Link>
              </td>
              <td>
                <code className="message-body">{JSON.stringify(message.payload).slice(0, SHOWN)}</code>
              </td>
              <td className="num">{message.snoozeCount}</td>
              <td>
                <When at={message.queuedAt} />
              </td>
              <td>
                {isArchived ? (
                  <When at={message.finishedAt} />
                ) : Date.parse(message.scheduledFor) <= now ? (
                  <Badge tone="ok">now</Badge>
                ) : (
                  <When at={message.scheduledFor} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
