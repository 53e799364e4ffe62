import { At, WithTimes } from '../parts/when.tsx';
import type { Detail } from './use-job-detail.ts';

/** What a job waits for in words, and until when unless the words say that. */
export function WaitText({
  waitingFor: { reason, message, endsAt },
}: {
  readonly waitingFor: NonNullable<Detail['waitingFor']>;
}) {
  return (
    <>
      <WithTimes text={message} />
      {endsAt !== null && reason !== 'TIME' && (
        <span className="muted small">
          {' '}
          Until <At at={endsAt} />
        </span>
      )}
    </>
  );
}
