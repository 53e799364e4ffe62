import { type FormEvent, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { CreateTenant, DeleteTenant, type TenantsResult } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { TenantEditor } from '../settings/tenant-editor.tsx';

export type ListedTenant = NonNullable<TenantsResult['tenants']>['nodes'][number];

/** Change or delete a tenant. */
export function TenantActs({ tenant }: { readonly tenant: ListedTenant }) {
  const client = useMillrace();
  const [shown, setShown] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setShown(null);
  const remove = useAct(
    async () => done((await run(client, DeleteTenant, { input: { id: tenant.id } })).deleteTenant),
    { says: 'The tenant is deleted', onDone: close },
  );
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={`Change ${tenant.name}`}
        onClick={() => setShown('edit')}
      >
        Change
      </button>
      <button
        type="button"
        className="button small"
        aria-label={`Delete ${tenant.name}`}
        onClick={() => setShown('delete')}
      >
        Delete
      </button>
      {shown === 'edit' && <TenantEditor tenant={tenant} hasLimits onClose={close} />}
      {shown === 'delete' && (
        <Confirm
          title={`Delete ${tenant.name}?`}
          verb="Delete the tenant"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined)}
          onClose={close}
        >
          <p>
            At once nobody acts on {tenant.slug} and none of its jobs starts. Its jobs, videos, keys and
            members are then removed for good.
          </p>
        </Confirm>
      )}
    </>
  );
}

export function NewTenantDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useMillrace();
  const [slug, setSlug] = useState('');
  const [name, setName] = useState('');
  const make = useAct(
    async () => {
      const input = { slug, ...(name.trim() !== '' && { name }) };
      return done((await run(client, CreateTenant, { input })).createTenant);
    },
    { says: 'The tenant is made', onDone: onClose },
  );
  const send = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate(undefined);
  };
  return (
    <Dialog title="New tenant" onClose={onClose}>
      <form className="fields" onSubmit={send}>
        <label className="field">
          Slug (a–z, 0–9 and -)
          <input required maxLength={63} value={slug} onChange={({ target }) => setSlug(target.value)} />
        </label>
        <label className="field">
          Name
          <input maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        {make.error !== null && <ErrorNote error={make.error} />}
        <div className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" className="button primary" disabled={make.isPending}>
            Make the tenant
          </button>
        </div>
      </form>
    </Dialog>
  );
}
