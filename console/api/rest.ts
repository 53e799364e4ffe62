import { MillraceError } from '../../src/client/index.ts';
import { currentToken } from '../session/oidc-session.ts';
import { REST_URL } from '../session/place.ts';
import { storedTenant } from '../session/tenant-choice.ts';

/**
 * What the REST API answers at a path below `/api/v1`, for what is too large for GraphQL; with a body that is
 * yet to be read.
 * @throws MillraceError for a status that is an error; whatever `fetch` throws
 */
export async function fetchRest(path: string, accept: string, signal?: AbortSignal): Promise<Response> {
  const tenantId = storedTenant();
  const response = await fetch(`${REST_URL}${path}`, {
    headers: {
      accept,
      authorization: `Bearer ${await currentToken()}`,
      ...(tenantId !== null && { 'x-millrace-tenant': tenantId }),
    },
    ...(signal !== undefined && { signal }),
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
  throw new MillraceError(
    problem.code ?? 'UNAVAILABLE',
    problem.detail ?? `The server answered ${response.status}`,
    {
      recovery: response.status >= 500 ? 'retry' : 'none',
      requestId: response.headers.get('x-request-id'),
    },
  );
}
