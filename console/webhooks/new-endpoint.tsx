import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { CreateWebhookEndpoint } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { SecretShown } from '../parts/secret-shown.tsx';

export function NewEndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useMillrace();
  const [label, setLabel] = useState('');
  const [url, setUrl] = useState('');
  const make = useAct(
    async () =>
      done((await run(client, CreateWebhookEndpoint, { input: { label, url } })).createWebhookEndpoint)
        .secret,
  );
  if (make.data !== undefined)
    return (
      <Dialog title="The endpoint is made" onClose={onClose}>
        <SecretShown
          what="Deliveries are signed with this secret. It is shown this once."
          secret={make.data}
          onClose={onClose}
        />
      </Dialog>
    );
  return (
    <Dialog title="New endpoint" onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate(undefined);
        }}
      >
        <label className="field">
          Name
          <input required maxLength={200} value={label} onChange={({ target }) => setLabel(target.value)} />
        </label>
        <label className="field">
          Address
          <input
            required
            type="url"
            placeholder="https://example.com/hooks/millrace"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </label>
        <FormFoot error={make.error} isPending={make.isPending} verb="Make the endpoint" onClose={onClose} />
      </form>
    </Dialog>
  );
}
