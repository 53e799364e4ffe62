import type { BulkAction } from '../../src/client/index.ts';

const ENDS = {
  RUNNING: 'Under way',
  SUCCEEDED: 'Done',
  STOPPED: 'Stopped; what it did stays done',
  FAILED: 'It could not go on',
} as const;

/** How far a bulk action is, and what came of it. */
export function BulkOutcome({ action }: { readonly action: BulkAction }) {
  const { verb, status, matchedCount, hasMore, doneCount, requestedCount, failedCount, skipped } = action;
  const lookedAt = doneCount + requestedCount + failedCount;
  return (
    <div className="stack">
      <p role="status">
        {ENDS[status]}
        {action.failure !== null && `: ${action.failure}`}
      </p>
      {status === 'RUNNING' && (
        <progress
          className="wide"
          aria-label="Progress"
          max={Math.max(1, matchedCount)}
          value={matchedCount === 0 ? undefined : lookedAt}
        />
      )}
      <dl className="facts num">
        <dt>Matched</dt>
        <dd>
          {hasMore && status === 'RUNNING' && 'at least '}
          {matchedCount.toLocaleString('en')}
        </dd>
        <dt>{verb === 'CANCEL' ? 'Canceled' : 'Back in the queue'}</dt>
        <dd>{doneCount.toLocaleString('en')}</dd>
        {requestedCount > 0 && (
          <>
            <dt>Asked to stop</dt>
            <dd>{requestedCount.toLocaleString('en')}</dd>
          </>
        )}
        {skipped.map(({ reason, count }) => (
          <div key={reason} className="contents">
            <dt>Left: {reason.toLowerCase().replaceAll('_', ' ')}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {status !== 'RUNNING' && verb === 'CANCEL' && doneCount > 0 && (
        <p className="muted small">To undo this, select the canceled jobs and retry them.</p>
      )}
    </div>
  );
}
