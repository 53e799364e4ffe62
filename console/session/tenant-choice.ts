import { createContext } from 'react';

const KEY = 'millrace.console.tenant';

interface TenantChoice {
  /** The tenant that a super admin acts on; null for the one of the token. */
  readonly tenantId: string | null;
  readonly choose: (tenantId: string) => void;
}

export const TenantChoiceContext = createContext<TenantChoice>({ tenantId: null, choose: () => undefined });

export function storedTenant(): string | null {
  return sessionStorage.getItem(KEY);
}

export function storeTenant(tenantId: string | null): void {
  if (tenantId === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, tenantId);
}
