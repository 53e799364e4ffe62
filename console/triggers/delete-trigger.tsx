import { useMillrace } from '../../src/react/index.ts';
import { DeleteTrigger } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { AskButton } from '../parts/ask-button.tsx';

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
  return (
    <AskButton
      face="Delete"
      title={`Delete ${label}?`}
      verb={`Delete the ${noun}`}
      act={async () => done((await run(client, DeleteTrigger, { input: { id } })).deleteTrigger)}
      says="It is deleted; its jobs stay"
      onDone={onDone}
    >
      <p>It makes no more jobs. Those that it has made stay.</p>
    </AskButton>
  );
}
