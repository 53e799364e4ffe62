import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { PauseTenant, ResumeTenant } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { bytes } from '../parts/bytes.ts';
import { Confirm } from '../parts/confirm.tsx';
import { At } from '../parts/when.tsx';
import { useViewer } from '../session/viewer.ts';
import { LaneLimits } from './lane-limits.tsx';
import type { SettingsTenant } from './settings-tenant.ts';
import { TenantEditor } from './tenant-editor.tsx';

export function TenantCard({ tenant }: { readonly tenant: SettingsTenant }) {
  const client = useMillrace();
  const isSuperAdmin = useViewer().role === 'SUPER_ADMIN';
  const [isEditing, setEditing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { isPaused, rateLimit, storage } = tenant;
  const act = useAct(
    async () =>
      isPaused
        ? done((await run(client, ResumeTenant, { input: {} })).resumeTenant)
        : done((await run(client, PauseTenant, { input: {} })).pauseTenant),
    { says: isPaused ? 'Jobs begin again' : 'No more jobs begin', onDone: () => setAsking(false) },
  );
  const verb = isPaused ? 'Resume the tenant' : 'Pause the tenant';
  return (
    <div className="columns">
      <section className="card" aria-label="Tenant">
        <header className="card-head">
          <h2>{tenant.name}</h2>
          <button type="button" className="button small" onClick={() => setEditing(true)}>
            Change
          </button>
          <button type="button" className="button small" onClick={() => setAsking(true)}>
            {verb}
          </button>
        </header>
        <dl className="facts card-body">
          <dt>Slug</dt>
          <dd>{tenant.slug}</dd>
          <dt>State</dt>
          <dd>
            {isPaused ? (
              <>
                paused since <At at={tenant.pausedAt} />
              </>
            ) : (
              'active'
            )}
          </dd>
          <dt>Runs at once</dt>
          <dd>{tenant.maxRunning ?? 'unlimited'}</dd>
          <dt>Rate</dt>
          <dd>{rateLimit === null ? 'unlimited' : `${rateLimit.count} in ${rateLimit.periodSeconds} s`}</dd>
          <dt>Weight</dt>
          <dd>{tenant.weight}</dd>
          <dt>Jobs are kept</dt>
          <dd>
            {tenant.retentionSeconds === null
              ? 'as the installation says'
              : `${Math.round(tenant.retentionSeconds / 86_400)} days`}
          </dd>
          {storage !== null && (
            <>
              <dt>Stored</dt>
              <dd>
                {bytes(Number(storage.usedBytes))}
                {storage.limitBytes !== null && ` of ${bytes(Number(storage.limitBytes))}`}
              </dd>
            </>
          )}
          <dt>Since</dt>
          <dd>
            <At at={tenant.createdAt} />
          </dd>
        </dl>
      </section>
      <LaneLimits limits={tenant.laneLimits} mayChange={isSuperAdmin} />
      {isEditing && (
        <TenantEditor tenant={tenant} hasLimits={isSuperAdmin} onClose={() => setEditing(false)} />
      )}
      {isAsking && (
        <Confirm
          title={`${verb}?`}
          verb={verb}
          isDangerous={!isPaused}
          isPending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>
            {isPaused
              ? 'Its queued jobs begin again.'
              : 'No job of it begins until it is resumed; those that run go on.'}
          </p>
        </Confirm>
      )}
    </div>
  );
}
