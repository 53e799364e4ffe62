import { type FormEvent, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { CreateTenant, DeleteTenant, type TenantsResult } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { AskButton } from '../parts/ask-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { TenantEditor } from '../settings/tenant-editor.tsx';

export type ListedTenant = NonNullable<TenantsResult['tenants']>['nodes'][number];

/** Change or delete a tenant. */
export function TenantActs({ tenant }: { readonly tenant: ListedTenant }) {
  const client = useMillrace();
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={`Change ${tenant.name}`}
        onClick={() => setEditing(true)}
      >
        Change
      </button>
      <AskButton
        label={`Delete ${tenant.name}`}
        className="button small"
        face="Delete"
        title={`Delete ${tenant.name}?`}
        verb="Delete the tenant"
        act={async () => done((await run(client, DeleteTenant, { input: { id: tenant.id } })).deleteTenant)}
        says="The tenant is deleted"
      >
        <p>
          At once nobody acts on {tenant.slug} and none of its jobs starts. Its jobs, videos, keys and members
          are then removed for good.
        </p>
      </AskButton>
      {isEditing && <TenantEditor tenant={tenant} hasLimits onClose={() => setEditing(false)} />}
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
        <FormFoot error={make.error} isPending={make.isPending} verb="Make the tenant" onClose={onClose} />
      </form>
    </Dialog>
  );
}
