import '../styles/links.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { DefinitionKeys } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { MessageTable } from './message-table.tsx';

/** Definitions of queues that programs of pgmq work with. */
const PREFIX = 'pgmq.';

/** The messages of pgmq's queues: those that wait or are read, and those that are archived. */
export function MessagesPage() {
  usePageTitle('Messages');
  const { queue, tab = 'live' } = useSearch({ from: '/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const { data, error, refetch } = useOperation(DefinitionKeys, {}, { refreshMs: 10_000 });
  const queues = data?.jobDefinitions?.nodes
    .map(({ key }) => key)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
  const chosen = queue ?? queues?.[0];
  return (
    <div className="stack">
      <header className="head">
        <h1>Messages</h1>
        {chosen !== undefined && queues !== undefined && (
          <label className="row">
            Queue
            <select
              value={chosen}
              onChange={({ target }) =>
                void navigate({ search: (before) => ({ ...before, queue: target.value }) })
              }
            >
              {queues.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
      </header>
      {chosen === undefined && (
        <ListStates error={error} onRetry={() => void refetch()} count={queues?.length}>
          <Empty title="No queues">
            <p>
              Programs of pgmq make them: <code>millrace migrate --pgmq</code>, then{' '}
              <code>select pgmq.create('…')</code>.
            </p>
          </Empty>
        </ListStates>
      )}
      {chosen !== undefined && (
        <Tabs.Root
          value={tab}
          className="stack"
          onValueChange={(next) =>
            void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })
          }
        >
          <Tabs.List className="tabs" aria-label="Messages">
            <Tabs.Trigger value="live">Live</Tabs.Trigger>
            <Tabs.Trigger value="archived">Archived</Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="live">
            <MessageTable definition={PREFIX + chosen} isArchived={false} />
          </Tabs.Content>
          <Tabs.Content value="archived">
            <MessageTable definition={PREFIX + chosen} isArchived />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </div>
  );
}
