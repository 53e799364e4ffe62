import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { DeleteWebhookEndpoint, RotateWebhookSecret, UpdateWebhookEndpoint } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { AskButton } from '../parts/ask-button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SecretShown } from '../parts/secret-shown.tsx';
import type { Endpoint } from './endpoint.ts';

/** Pause or resume it, give it a new secret, delete it. */
export function EndpointActs({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useMillrace();
  const [isRotating, setRotating] = useState(false);
  const { uuid, label, isPaused } = endpoint;
  const close = (): void => setRotating(false);
  const pause = useAct(
    async () =>
      done(
        (await run(client, UpdateWebhookEndpoint, { input: { uuid, isPaused: !isPaused } }))
          .updateWebhookEndpoint,
      ),
    { says: isPaused ? 'It delivers again' : 'Nothing is delivered to it' },
  );
  const rotate = useAct(
    async () =>
      done((await run(client, RotateWebhookSecret, { input: { uuid } })).rotateWebhookEndpointSecret).secret,
  );
  return (
    <span className="row row-end">
      <button
        type="button"
        className="button small"
        aria-label={`${isPaused ? 'Resume' : 'Pause'} ${label}`}
        disabled={pause.isPending}
        onClick={() => pause.mutate(undefined)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      <button
        type="button"
        className="button small"
        aria-label={`New secret for ${label}`}
        onClick={() => setRotating(true)}
      >
        New secret
      </button>
      <AskButton
        label={`Delete ${label}`}
        className="button small"
        face="Delete"
        title={`Delete ${label}?`}
        verb="Delete the endpoint"
        act={async () =>
          done((await run(client, DeleteWebhookEndpoint, { input: { uuid } })).deleteWebhookEndpoint)
        }
        says="The endpoint is deleted"
      >
        <p>Its list of deliveries goes with it. Triggers that deliver to it will fail.</p>
      </AskButton>
      {isRotating && rotate.data !== undefined && (
        <Dialog title={`The new secret of ${label}`} onClose={close}>
          <SecretShown
            what="It is shown this once. The old one stays good for a day."
            secret={rotate.data}
            onClose={close}
          />
        </Dialog>
      )}
      {isRotating && rotate.data === undefined && (
        <Confirm
          title={`Give ${label} a new secret?`}
          verb="Make a new secret"
          isDangerous={false}
          isPending={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate(undefined)}
          onClose={close}
        >
          <p>
            Deliveries are signed with both secrets for a day, so that the other side can change in peace.
          </p>
        </Confirm>
      )}
    </span>
  );
}
