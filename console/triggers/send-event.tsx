import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { EmitEvent } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { JsonField } from '../definitions/json-field.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';

export function SendEventDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useMillrace();
  const [name, setName] = useState('');
  const [text, setText] = useState('{}');
  const [problem, setProblem] = useState<string | null>(null);
  const send = useAct(
    async (data: unknown) => done((await run(client, EmitEvent, { input: { name, data } })).emitEvent),
    { says: 'The event is written', onDone: onClose },
  );
  return (
    <Dialog title="Send an event" onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          try {
            send.mutate(JSON.parse(text));
            setProblem(null);
          } catch (error) {
            setProblem(String(error));
          }
        }}
      >
        <label className="field">
          Name
          <input
            required
            placeholder="order.paid"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <JsonField label="Data" rows={8} value={text} onChange={setText} problem={problem} />
        <FormFoot error={send.error} isPending={send.isPending} verb="Send it" onClose={onClose} />
      </form>
    </Dialog>
  );
}
