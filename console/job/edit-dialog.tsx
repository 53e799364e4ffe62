import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { UpdateJob } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { localInput } from '../parts/local-input.ts';
import { toast } from '../parts/toasts.tsx';
import type { Detail } from './use-job-detail.ts';

/** Edits the priority and the time of a job that has not begun. */
export function EditDialog({
  job,
  onClose,
  onDone,
}: {
  readonly job: Detail;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const client = useMillrace();
  const [priority, setPriority] = useState(String(job.priority));
  const [time, setTime] = useState(localInput(job.scheduledFor));
  const save = useMutation({
    mutationFn: async () => {
      const input = {
        id: job.id,
        priority: Number(priority),
        ...(time !== localInput(job.scheduledFor) && { scheduledFor: new Date(time).toISOString() }),
      };
      return done((await run(client, UpdateJob, { input })).updateJob);
    },
    onSuccess: () => {
      toast('Saved');
      onDone();
      onClose();
    },
  });
  return (
    <Dialog title="Edit the job" onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <label className="field">
          Priority (lower runs first)
          <input type="number" value={priority} onChange={({ target }) => setPriority(target.value)} />
        </label>
        <label className="field">
          Not before (your time zone)
          <input
            type="datetime-local"
            step={1}
            value={time}
            onChange={({ target }) => setTime(target.value)}
          />
        </label>
        <FormFoot error={save.error} isPending={save.isPending} verb="Save" onClose={onClose} />
      </form>
    </Dialog>
  );
}
