import type { ClientSettings } from './options.ts';
import type { Tokens } from './token.ts';

/** Sends a document with the token of the moment. */
export async function post(
  settings: ClientSettings,
  tokens: Tokens,
  request: { readonly name?: string; readonly text: string; readonly variables: object },
  { accept, signal }: { readonly accept: string; readonly signal?: AbortSignal | undefined },
): Promise<Response> {
  const token = await tokens.next();
  return await settings.fetch(settings.httpUrl, {
    method: 'POST',
    headers: {
      accept,
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(settings.tenantId !== null && { 'x-millrace-tenant': settings.tenantId }),
    },
    body: JSON.stringify({
      query: request.text,
      variables: request.variables,
      ...(request.name !== undefined && { operationName: request.name }),
    }),
    ...(signal && { signal }),
  });
}
