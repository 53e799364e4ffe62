import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { DeleteTrigger } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Confirm } from '../parts/confirm.tsx';

/** Deletes a schedule or a trigger, after a question. */
export function DeleteTriggerButton({
  id,
  label,
  noun,
  onDone,
}: {
  readonly id: string;
  readonly label: string;
  readonly noun: 'schedule' | 'trigger';
  readonly onDone: () => void;
}) {
  const client = useMillrace();
  const [isAsking, setAsking] = useState(false);
  const remove = useAct(
    async () => done((await run(client, DeleteTrigger, { input: { id } })).deleteTrigger),
    { says: 'It is deleted; its jobs stay', onDone },
  );
  return (
    <>
      <button type="button" className="button" onClick={() => setAsking(true)}>
        Delete
      </button>
      {isAsking && (
        <Confirm
          title={`Delete ${label}?`}
          verb={`Delete the ${noun}`}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>It makes no more jobs. Those that it has made stay.</p>
        </Confirm>
      )}
    </>
  );
}
