import type { Server } from 'node:http';
import Provider from 'oidc-provider';

/** What somebody who has signed in there is here. */
interface ProviderOptions {
  readonly issuer: string;
  /** Where the console stands. */
  readonly consoleUrl: string;
  readonly tenantId: string;
}

/**
 * Makes an HTTP server a real OpenID provider with one public client, the console. Each account there is an
 * admin of the tenant.
 */
export function handleAsProvider(server: Server, { issuer, consoleUrl, tenantId }: ProviderOptions): void {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'millrace-console',
        token_endpoint_auth_method: 'none',
        redirect_uris: [consoleUrl],
        post_logout_redirect_uris: [consoleUrl],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub', 'tenant_id', 'role'] },
    // The console shows the identity token to the API, which reads the tenant and the role in it.
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, tenant_id: tenantId, role: 'tenant_admin' }),
    }),
    clientBasedCORS: () => true,
    cookies: { keys: ['a key of this test'] },
    pkce: { required: () => true },
  });
  server.on('request', provider.callback());
}
