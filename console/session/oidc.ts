import { claimsOf, keepAnswer, type TokenAnswer } from './oidc-session.ts';
import { BASE_PATH, type Provider } from './place.ts';

const KEY = 'millrace.console.oidc';

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly tokenEndpoint: string;
  readonly endSessionEndpoint: string | null;
  readonly returnTo: string;
}

interface Metadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly end_session_endpoint?: string;
  readonly response_modes_supported?: readonly string[];
}

/**
 * Sends the browser to the provider: code flow with PKCE, whose answer is of no use to anybody who has not
 * the verifier.
 */
export async function beginSignIn({ issuer, clientId, scope }: Provider, returnTo: string): Promise<void> {
  const metadata = await metadataOf(issuer);
  const [state, nonce, verifier] = [random(), random(), random()];
  const pending: Pending = {
    state,
    nonce,
    verifier,
    tokenEndpoint: metadata.token_endpoint,
    endSessionEndpoint: metadata.end_session_endpoint ?? null,
    returnTo,
  };
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  const address = new URL(metadata.authorization_endpoint);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope,
    state,
    nonce,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    // Without it no provider gives a token that renews this one.
    ...(scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
    // The code then never reaches a server's log either.
    ...(metadata.response_modes_supported?.includes('fragment') === true && { response_mode: 'fragment' }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  location.assign(address);
}

/**
 * Ends a sign-in that the browser has come back from.
 * @returns where the person wanted to go; null when nobody has come back
 * @throws Error with what the provider says
 */
export async function endSignIn({ clientId }: Provider): Promise<string | null> {
  const stored = sessionStorage.getItem(KEY);
  const answer = answerOfProvider();
  if (stored === null || answer === null) return null;
  const pending = JSON.parse(stored) as Pending;
  sessionStorage.removeItem(KEY);
  history.replaceState(null, '', location.pathname);
  if (answer.get('state') !== pending.state) throw new Error('The answer belongs to another sign-in');
  const code = answer.get('code');
  if (code === null)
    throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'No code came');
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri(),
    code_verifier: pending.verifier,
  });
  const response = await fetch(pending.tokenEndpoint, { method: 'POST', body });
  const tokens = (await response.json()) as TokenAnswer;
  const claims = claimsOf(tokens.id_token);
  if (claims !== null && claims['nonce'] !== pending.nonce)
    throw new Error('The provider’s answer was made for another sign-in');
  const { tokenEndpoint, endSessionEndpoint } = pending;
  keepAnswer(tokens, { clientId, tokenEndpoint, endSessionEndpoint });
  return pending.returnTo;
}

function answerOfProvider(): URLSearchParams | null {
  for (const text of [location.hash.slice(1), location.search.slice(1)]) {
    const answer = new URLSearchParams(text);
    if (answer.has('state') && (answer.has('code') || answer.has('error'))) return answer;
  }
  return null;
}

async function metadataOf(issuer: string): Promise<Metadata> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}`);
  const metadata = (await response.json()) as Metadata;
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new Error('The identity provider names another issuer');
  return metadata;
}

/** Where the provider sends people back to. */
export function redirectUri(): string {
  return `${location.origin}${BASE_PATH}/`;
}

function random(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
