import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { Settings } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { ListStates } from '../parts/list-states.tsx';
import { Forbidden } from '../parts/notes.tsx';
import { AuditTable } from './audit-table.tsx';
import { KeysTable } from './keys-table.tsx';
import { MembersTable } from './members-table.tsx';
import type { SettingsTenant } from './settings-tenant.ts';
import { TenantCard } from './tenant-card.tsx';

export function SettingsPage() {
  usePageTitle('Settings');
  const { data, error, refetch } = useOperation(Settings, {});
  const tenant = data?.tenant;
  return (
    <div className="stack">
      <header className="head">
        <h1>Settings</h1>
      </header>
      {tenant === null && <Forbidden what="Settings are of a tenant, and this token belongs to none." />}
      {data === undefined && (
        <ListStates error={error} onRetry={() => void refetch()} count={undefined}>
          {null}
        </ListStates>
      )}
      {tenant != null && <SettingsTabs tenant={tenant} />}
    </div>
  );
}

function SettingsTabs({ tenant }: { readonly tenant: SettingsTenant }) {
  const { tab = 'tenant' } = useSearch({ from: '/settings' });
  const navigate = useNavigate({ from: '/settings' });
  return (
    <Tabs.Root
      value={tab}
      className="stack"
      onValueChange={(next) => void navigate({ search: { tab: next }, replace: true })}
    >
      <Tabs.List className="tabs" aria-label="Settings">
        <Tabs.Trigger value="tenant">Tenant</Tabs.Trigger>
        <Tabs.Trigger value="members">Members</Tabs.Trigger>
        <Tabs.Trigger value="keys">API keys</Tabs.Trigger>
        <Tabs.Trigger value="audit">Audit log</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="tenant">
        <TenantCard tenant={tenant} />
      </Tabs.Content>
      <Tabs.Content value="members">
        <MembersTable members={tenant.members?.nodes ?? null} />
      </Tabs.Content>
      <Tabs.Content value="keys">
        <KeysTable apiKeys={tenant.apiKeys?.nodes ?? null} />
      </Tabs.Content>
      <Tabs.Content value="audit">
        <AuditTable />
      </Tabs.Content>
    </Tabs.Root>
  );
}
