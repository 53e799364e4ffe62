import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, Copy, CopyPlus, Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { useKeys } from '../frame/keys.ts';
import { copyText } from '../parts/copy.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { toast } from '../parts/toasts.tsx';
import { useMay } from '../session/viewer.ts';
import { EditDialog } from './edit-dialog.tsx';
import type { Detail } from './use-job-detail.ts';

/** What the job is and how it stands, and what may be done about it. */
export function JobHead({ job, onChanged }: { readonly job: Detail; readonly onChanged: () => void }) {
  const client = useMillrace();
  const mayWrite = useMay('JOBS_WRITE');
  const [shown, setShown] = useState<'cancel' | 'edit' | null>(null);
  const retry = useMutation({
    mutationFn: () => client.retryJob(job.id),
    onSuccess: () => {
      toast('It is back in the queue');
      onChanged();
    },
  });
  const canRetry = job.viewerCanRetry && !retry.isPending;
  useKeys({
    ...(canRetry && { r: () => retry.mutate() }),
    ...(job.viewerCanCancel && { c: () => setShown('cancel') }),
  });
  return (
    <header className="stack tight">
      <div className="head">
        <h1>
          <Link to="/definitions/$key" params={{ key: job.definition.key }} search={{}} className="plain">
            {job.definition.key}
          </Link>{' '}
          <StatusBadge status={job.status} isCancelRequested={job.isCancelRequested} />
        </h1>
        {mayWrite && job.status === 'QUEUED' && (
          <button type="button" className="button" onClick={() => setShown('edit')}>
            <Pencil aria-hidden="true" size={15} /> Edit
          </button>
        )}
        {mayWrite && (
          <Link
            className="button"
            to="/definitions/$key"
            params={{ key: job.definition.key }}
            search={{ tab: 'enqueue', copy: job.id }}
          >
            <CopyPlus aria-hidden="true" size={15} /> Enqueue a copy
          </Link>
        )}
        {job.viewerCanRetry && (
          <button
            type="button"
            className="button primary"
            disabled={!canRetry}
            onClick={() => retry.mutate()}
          >
            <RotateCcw aria-hidden="true" size={15} /> Retry
          </button>
        )}
        {job.viewerCanCancel && (
          <button type="button" className="button" onClick={() => setShown('cancel')}>
            <Ban aria-hidden="true" size={15} /> Cancel
          </button>
        )}
      </div>
      <p className="row small muted">
        <button type="button" className="id" title="Copy the id" onClick={() => void copyText(job.uuid)}>
          <span className="mono">{job.uuid}</span> <Copy aria-hidden="true" size={12} />
        </button>
        {job.subject !== null && (
          <Link to="/jobs" search={{ subject: `${job.subject.type}:${job.subject.key}` }}>
            {job.subject.type}:{job.subject.key}
          </Link>
        )}
        {job.correlationId !== null && (
          <Link to="/jobs" search={{ correlation: job.correlationId }}>
            {job.correlationId}
          </Link>
        )}
        {job.tags.map((tag) => (
          <Link key={tag} to="/jobs" search={{ tag }}>
            #{tag}
          </Link>
        ))}
        {job.video !== null && (
          <Link to="/videos/$videoId" params={{ videoId: job.video.id }} search={{}}>
            Video: {job.video.title}
          </Link>
        )}
      </p>
      {retry.error !== null && <ErrorNote error={retry.error} />}
      {shown === 'cancel' && <CancelDialog job={job} onClose={() => setShown(null)} onDone={onChanged} />}
      {shown === 'edit' && <EditDialog job={job} onClose={() => setShown(null)} onDone={onChanged} />}
    </header>
  );
}

function CancelDialog({
  job,
  onClose,
  onDone,
}: {
  readonly job: Detail;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const client = useMillrace();
  const [reason, setReason] = useState('');
  const cancel = useMutation({
    mutationFn: () => client.cancelJob(job.id, reason === '' ? {} : { reason }),
    onSuccess: ({ isCancelRequested }) => {
      toast(isCancelRequested ? 'It was asked to stop' : 'It is canceled');
      onDone();
      onClose();
    },
  });
  return (
    <Dialog title="Cancel this job?" onClose={onClose}>
      <div className="stack">
        <p>
          {job.status === 'RUNNING'
            ? 'It runs, and is asked to stop.'
            : 'It has not begun, and ends at once.'}
        </p>
        <label className="field">
          Reason
          <input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
        </label>
        {cancel.error !== null && <ErrorNote error={cancel.error} />}
      </div>
      <div className="dialog-foot">
        <button type="button" className="button" data-first onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          className="button danger"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          Cancel the job
        </button>
      </div>
    </Dialog>
  );
}
