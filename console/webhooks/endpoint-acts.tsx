import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { DeleteWebhookEndpoint, RotateWebhookSecret, UpdateWebhookEndpoint } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SecretShown } from '../parts/secret-shown.tsx';
import type { Endpoint } from './endpoint.ts';

/** Pause or resume it, give it a new secret, delete it. */
export function EndpointActs({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useMillrace();
  const [asking, setAsking] = useState<'rotate' | 'delete' | null>(null);
  const { uuid, label, isPaused } = endpoint;
  const close = (): void => setAsking(null);
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
  const remove = useAct(
    async () => done((await run(client, DeleteWebhookEndpoint, { input: { uuid } })).deleteWebhookEndpoint),
    { says: 'The endpoint is deleted', onDone: close },
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
        onClick={() => setAsking('rotate')}
      >
        New secret
      </button>
      <button
        type="button"
        className="button small"
        aria-label={`Delete ${label}`}
        onClick={() => setAsking('delete')}
      >
        Delete
      </button>
      {asking === 'rotate' && rotate.data !== undefined && (
        <Dialog title={`The new secret of ${label}`} onClose={close}>
          <SecretShown
            what="It is shown this once. The old one stays good for a day."
            secret={rotate.data}
            onClose={close}
          />
        </Dialog>
      )}
      {asking === 'rotate' && rotate.data === undefined && (
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
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${label}?`}
          verb="Delete the endpoint"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined)}
          onClose={close}
        >
          <p>Its list of deliveries goes with it. Triggers that deliver to it will fail.</p>
        </Confirm>
      )}
    </span>
  );
}
