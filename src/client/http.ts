import { jsonOf } from './json.ts';
import type { ClientSettings } from './options.ts';
import type { Tokens } from './token.ts';

/**
 * Posts JSON with the token of the moment, to the GraphQL address unless another is given.
 * @throws MillraceError `INVALID_ARGUMENT` for what JSON does not have; whatever `fetch` and the token throw
 */
export async function post(
  settings: ClientSettings,
  tokens: Tokens,
  body: object,
  {
    accept,
    signal,
    url = settings.httpUrl,
  }: { readonly accept: string; readonly signal?: AbortSignal | undefined; readonly url?: string },
): Promise<Response> {
  const json = jsonOf(body);
  const token = await tokens.next();
  return await settings.fetch(url, {
    method: 'POST',
    headers: {
      accept,
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(settings.tenantId !== null && { 'x-millrace-tenant': settings.tenantId }),
    },
    body: json,
    ...(signal && { signal }),
  });
}
