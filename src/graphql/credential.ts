import type { IncomingHttpHeaders } from 'node:http';
import type { PresentedCredential } from '../identity/authenticator.ts';

/** Names the tenant that a super admin acts on. */
export const TENANT_HEADER = 'x-millrace-tenant';

/**
 * The credential of a request: `Authorization: Bearer …`, or on a socket `{ token, tenantId }` in the
 * parameters of `connection_init`. There also the header's own form is taken
 * (`{ "Authorization": "Bearer …" }`), as playgrounds send it.
 */
export function credentialFrom(
  headers: IncomingHttpHeaders,
  connectionParams: Readonly<Record<string, unknown>> = {},
  address: string | null = null,
): PresentedCredential {
  const given = new Map(Object.entries(connectionParams).map(([name, value]) => [name.toLowerCase(), value]));
  const tenantHeader = headers[TENANT_HEADER];
  return {
    address,
    token:
      bearer(text(given.get('token'))) ??
      text(given.get('token')) ??
      bearer(text(given.get('authorization'))) ??
      bearer(text(headers.authorization)),
    tenantId: text(given.get('tenantid')) ?? text(given.get(TENANT_HEADER)) ?? text(tenantHeader),
  };
}

function bearer(value: string | null): string | null {
  return /^bearer +(\S+)$/i.exec(value ?? '')?.[1] ?? null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
