import { type FormEvent, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { UpdateTenant, type UpdateTenantInput } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { NumberField, numberOf } from './number-field.tsx';

interface EditedTenant {
  readonly id: string;
  readonly name: string;
  readonly weight: number;
  readonly maxRunning: number | null;
  readonly retentionSeconds: number | null;
  readonly rateLimit: { readonly count: number; readonly periodSeconds: number } | null;
}

const DAY = 86_400;

/** A tenant's name, and for super admins its limits; an empty field is no limit. */
export function TenantEditor({
  tenant,
  hasLimits,
  onClose,
}: {
  readonly tenant: EditedTenant;
  /** Limits are a super admin's. */
  readonly hasLimits: boolean;
  readonly onClose: () => void;
}) {
  const client = useMillrace();
  const [name, setName] = useState(tenant.name);
  const [weight, setWeight] = useState(String(tenant.weight));
  const [maxRunning, setMaxRunning] = useState(String(tenant.maxRunning ?? ''));
  const [rateCount, setRateCount] = useState(String(tenant.rateLimit?.count ?? ''));
  const [rateSeconds, setRateSeconds] = useState(String(tenant.rateLimit?.periodSeconds ?? ''));
  const [days, setDays] = useState(
    tenant.retentionSeconds === null ? '' : String(tenant.retentionSeconds / DAY),
  );
  const save = useAct(
    async (input: UpdateTenantInput) => done((await run(client, UpdateTenant, { input })).updateTenant),
    { says: 'The tenant is changed', onDone: onClose },
  );
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const count = numberOf(rateCount);
    const kept = numberOf(days);
    save.mutate({
      id: tenant.id,
      name,
      ...(hasLimits && {
        weight: numberOf(weight) ?? 1,
        maxRunning: numberOf(maxRunning),
        rateLimit: count === null ? null : { count, periodSeconds: numberOf(rateSeconds) ?? 60 },
        retentionSeconds: kept === null ? null : Math.round(kept * DAY),
      }),
    });
  };
  return (
    <Dialog title={`Change ${tenant.name}`} onClose={onClose}>
      <form className="fields" onSubmit={send}>
        <label className="field">
          Name
          <input required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        {hasLimits && (
          <div className="fields two">
            <NumberField label="Jobs at once (empty: no limit)" value={maxRunning} onChange={setMaxRunning} />
            <NumberField label="Weight beside other tenants" value={weight} onChange={setWeight} />
            <NumberField label="Starts (empty: no limit)" value={rateCount} onChange={setRateCount} />
            <NumberField label="in seconds" value={rateSeconds} onChange={setRateSeconds} />
            <NumberField label="Days that ended jobs are kept" value={days} onChange={setDays} step="any" />
          </div>
        )}
        <FormFoot error={save.error} isPending={save.isPending} verb="Save" onClose={onClose} />
      </form>
    </Dialog>
  );
}
