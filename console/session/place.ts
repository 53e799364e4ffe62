function meta(name: string): string | null {
  return document.querySelector(`meta[name="millrace-${name}"]`)?.getAttribute('content') ?? null;
}

/** Where the server has put the console, known only when it is loaded. */
export const BASE_PATH = meta('base') ?? '/console';
export const GRAPHQL_URL = meta('graphql') ?? '/graphql';
/** Beside it, below whatever the server has been put under. */
export const REST_URL = GRAPHQL_URL.replace(/graphql$/, 'api/v1');

export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
}

/** The identity provider that people may sign in with; null where none is configured. */
export function signInProvider(): Provider | null {
  const [issuer, clientId] = [meta('oidc-issuer'), meta('oidc-client')];
  return issuer === null || clientId === null
    ? null
    : { issuer: issuer.replace(/\/$/, ''), clientId, scope: meta('oidc-scope') ?? 'openid' };
}
