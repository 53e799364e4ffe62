import { useEffect, useId, useRef, useState } from 'react';
import { useJobSummary, useMillrace } from '../../src/react/index.ts';
import type { JobFilter } from '../api/operations.gen.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { type BulkProgress, runBulk } from './bulk-run.ts';
import { filterInWords, type JobsParams } from './job-params.ts';
import type { Selection } from './use-selection.ts';

export type BulkAct = 'cancel' | 'retry';

const NAMES = { cancel: 'Cancel', retry: 'Retry' } as const;

/** Says what is about to happen to how many jobs, does it, and says what came of it. */
export function BulkDialog({
  act,
  params,
  filter,
  selection,
  onClose,
}: {
  readonly act: BulkAct;
  readonly params: JobsParams;
  readonly filter: JobFilter;
  readonly selection: Selection;
  readonly onClose: (isDone: boolean) => void;
}) {
  const client = useMillrace();
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [reason, setReason] = useState('');
  const ending = useRef(new AbortController());
  const id = useId();
  const atLeast = useMatchCount(params, selection);
  const noun = selection.isAll
    ? `${atLeast} jobs`
    : selection.count === 1
      ? '1 job'
      : `${selection.count} jobs`;
  useEffect(() => () => ending.current.abort(), []);
  const begin = async (): Promise<void> => {
    setRunning(true);
    setError(null);
    ending.current = new AbortController();
    try {
      const chosen = selection.isAll ? filter : { ids: [...selection.ids] };
      for await (const next of runBulk(client, act, chosen, reason, ending.current.signal)) setProgress(next);
    } catch (thrown) {
      setError(thrown);
    }
    setRunning(false);
  };
  const isDone = progress?.isDone === true;
  return (
    <Dialog title={`${NAMES[act]} ${noun}?`} onClose={() => onClose(progress !== null)}>
      <div className="stack">
        <p>
          {selection.isAll
            ? `${filterInWords(params)}, also those that are not shown. `
            : 'Those that you have selected. '}
          {act === 'cancel'
            ? 'Queued ones end at once; running ones are asked to stop.'
            : 'Those that have failed, were canceled or are dead letters go back into the queue.'}
        </p>
        {act === 'cancel' && progress === null && (
          <div className="field">
            <label htmlFor={id}>Reason, shown with each job</label>
            <input
              id={id}
              value={reason}
              maxLength={500}
              onChange={({ target }) => setReason(target.value)}
            />
          </div>
        )}
        {error !== null && <ErrorNote error={error} />}
        {progress !== null && <Outcome act={act} progress={progress} />}
      </div>
      <div className="dialog-foot">
        {isDone ? (
          <button type="button" className="button primary" onClick={() => onClose(true)}>
            Done
          </button>
        ) : (
          <>
            <button type="button" className="button" autoFocus onClick={() => onClose(progress !== null)}>
              {isRunning ? 'Stop' : 'Keep them as they are'}
            </button>
            <button
              type="button"
              className={act === 'cancel' ? 'button danger' : 'button primary'}
              disabled={isRunning}
              onClick={() => void begin()}
            >
              {isRunning ? 'Working…' : `${NAMES[act]} ${noun}`}
            </button>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** From the summary where it can say it: no list is counted for a dialog. */
function useMatchCount(params: JobsParams, selection: Selection): string {
  const { summary } = useJobSummary();
  const isPlain = Object.keys(params).every((name) => ['status', 'cols', 'definition'].includes(name));
  const of = summary?.definitions.find(({ definitionKey }) => definitionKey === params.definition)?.counts;
  const counts = params.definition === undefined ? summary?.counts : of;
  const isNow = params.status === 'QUEUED' || params.status === 'RUNNING';
  if (!isPlain || counts === undefined || !isNow) return `at least ${selection.count}`;
  const count = params.status === 'QUEUED' ? counts.queued : counts.running;
  return `${summary?.isComplete === false ? 'at least ' : ''}${Math.max(count, selection.count).toLocaleString('en')}`;
}

function Outcome({ act, progress }: { readonly act: BulkAct; readonly progress: BulkProgress }) {
  const skipped = Object.entries(progress.skipped);
  return (
    <div role="status" className="stack">
      {!progress.isDone && <progress className="wide" aria-label="Progress" />}
      <dl className="facts num">
        <dt>Looked at</dt>
        <dd>{progress.matched.toLocaleString('en')}</dd>
        <dt>{act === 'cancel' ? 'Canceled' : 'Back in the queue'}</dt>
        <dd>{progress.changed.toLocaleString('en')}</dd>
        {progress.requested > 0 && (
          <>
            <dt>Asked to stop</dt>
            <dd>{progress.requested.toLocaleString('en')}</dd>
          </>
        )}
        {skipped.map(([why, count]) => (
          <div key={why} className="contents">
            <dt>Skipped: {why.toLowerCase().replaceAll('_', ' ')}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      {progress.isDone && act === 'cancel' && progress.changed > 0 && (
        <p className="muted small">To undo this, select the canceled jobs and retry them.</p>
      )}
    </div>
  );
}
