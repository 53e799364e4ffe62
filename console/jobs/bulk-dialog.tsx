import { useId, useState } from 'react';
import { useBulkAction, useJobSummary, useMillrace } from '../../src/react/index.ts';
import type { JobFilter } from '../api/operations.gen.ts';
import { useAct } from '../api/use-act.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { BulkOutcome } from './bulk-outcome.tsx';
import { filterInWords, type JobsParams } from './job-params.ts';
import type { Selection } from './use-selection.ts';

export type BulkAct = 'cancel' | 'retry';

const NAMES = { cancel: 'Cancel', retry: 'Retry' } as const;
const VERBS = { cancel: 'CANCEL', retry: 'RETRY' } as const;

/**
 * Says what is about to happen to how many jobs, begins it, and shows how far it is: it goes on without the
 * page.
 */
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
  const [reason, setReason] = useState('');
  const [actionId, setActionId] = useState<string | null>(null);
  const { bulkAction, error: streamError } = useBulkAction(actionId);
  const id = useId();
  const atLeast = useMatchCount(params, selection);
  const begin = useAct(
    async () => {
      const said = reason.trim();
      const chosen = selection.isAll ? filter : { ids: [...selection.ids] };
      const input = { verb: VERBS[act], filter: chosen, ...(said !== '' && { reason: said }) };
      return await client.startBulkAction(input);
    },
    { onDone: (made) => setActionId(made.id) },
  );
  const stop = useAct(async () => client.stopBulkAction(actionId ?? ''));
  const shown = bulkAction ?? begin.data;
  const noun = selection.isAll
    ? `${atLeast} jobs`
    : selection.count === 1
      ? '1 job'
      : `${selection.count} jobs`;
  const problem = begin.error ?? stop.error ?? (shown?.status === 'RUNNING' ? null : streamError);
  const close = (): void => onClose(shown !== undefined);
  return (
    <Dialog title={`${NAMES[act]} ${noun}?`} onClose={close}>
      <div className="stack">
        <p>
          {selection.isAll
            ? `${filterInWords(params)}, also those that are not shown. `
            : 'Those that you have selected. '}
          {act === 'cancel'
            ? 'Queued ones end at once; running ones are asked to stop.'
            : 'Those that have failed, were canceled or are dead letters go back into the queue.'}
        </p>
        {act === 'cancel' && shown === undefined && (
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
        {problem !== null && <ErrorNote error={problem} />}
        {shown !== undefined && <BulkOutcome action={shown} />}
      </div>
      <div className="dialog-foot">
        {shown === undefined ? (
          <>
            <button type="button" className="button" data-first onClick={close}>
              Keep them as they are
            </button>
            <button
              type="button"
              className={act === 'cancel' ? 'button danger' : 'button primary'}
              disabled={begin.isPending}
              onClick={() => begin.mutate(undefined)}
            >
              {`${NAMES[act]} ${noun}`}
            </button>
          </>
        ) : shown.status === 'RUNNING' ? (
          <>
            <button type="button" className="button" onClick={close}>
              Close; it goes on
            </button>
            <button
              type="button"
              className="button danger"
              disabled={stop.isPending || shown.isStopRequested}
              onClick={() => stop.mutate(undefined)}
            >
              {shown.isStopRequested ? 'Stopping…' : 'Stop'}
            </button>
          </>
        ) : (
          <button type="button" className="button primary" onClick={close}>
            Done
          </button>
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
