import { useContext } from 'react';
import { TenantNames } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { TenantChoiceContext } from '../session/tenant-choice.ts';
import { useViewer } from '../session/viewer.ts';

/** The tenant that all pages are about; super admins choose it here. */
export function TenantSwitch() {
  const { role, tenant } = useViewer();
  if (role === 'SUPER_ADMIN') return <TenantChoice />;
  return tenant === null ? null : <span className="tenant">{tenant.name}</span>;
}

function TenantChoice() {
  const { tenant } = useViewer();
  const { tenantId, choose } = useContext(TenantChoiceContext);
  const { data } = useOperation(TenantNames, {});
  const chosen = tenantId ?? tenant?.uuid ?? '';
  const tenants = data?.tenants?.nodes ?? [];
  const isListed = tenants.some(({ uuid }) => uuid === chosen);
  return (
    <select
      className="tenant tenant-choice"
      aria-label="Tenant"
      value={chosen}
      onChange={({ target }) => choose(target.value)}
    >
      {!isListed && <option value={chosen}>{tenant?.name ?? 'No tenant'}</option>}
      {tenants.map(({ uuid, name }) => (
        <option key={uuid} value={uuid}>
          {name}
        </option>
      ))}
    </select>
  );
}
