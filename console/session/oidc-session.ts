import { storedToken, storeToken } from './token.ts';

const KEY = 'millrace.console.oidc-session';
/** A token is renewed this long before its end, or in its last third where it lives shorter. */
const MARGIN_MS = 30_000;

/** What the provider gave beside the token: with it the sign-in goes on, and is ended there too. */
interface OidcSession {
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly endSessionEndpoint: string | null;
  readonly refreshToken: string | null;
  readonly idToken: string | null;
  readonly renewAtMs: number;
}

export interface TokenAnswer {
  readonly access_token?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly error?: string;
  readonly error_description?: string;
}

function storedSession(): OidcSession | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as OidcSession);
}

export function forgetSession(): void {
  sessionStorage.removeItem(KEY);
}

/** The claims of a signed token, which its receiver checks; null for an opaque one. */
export function claimsOf(token: string | undefined): Readonly<Record<string, unknown>> | null {
  const [, payload, signature] = token?.split('.') ?? [];
  if (payload === undefined || signature === undefined) return null;
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (each) => each.charCodeAt(0))));
}

/**
 * Keeps what a token request brought.
 * @throws Error when there is no token that the API could read
 */
export function keepAnswer(
  answer: TokenAnswer,
  session: Pick<OidcSession, 'clientId' | 'tokenEndpoint' | 'endSessionEndpoint'>,
  refreshToken: string | null = null,
): void {
  // An access token may be opaque, which no API can read; the identity token always is a signed one.
  const token = [answer.access_token, answer.id_token].find((each) => claimsOf(each) !== null);
  if (token === undefined)
    throw new Error(answer.error_description ?? answer.error ?? 'The provider gave no signed token');
  const endMs = Number(claimsOf(token)?.['exp'] ?? 0) * 1_000;
  const kept: OidcSession = {
    ...session,
    refreshToken: answer.refresh_token ?? refreshToken,
    idToken: answer.id_token ?? null,
    renewAtMs: endMs - Math.min(MARGIN_MS, (endMs - Date.now()) / 3),
  };
  storeToken(token, false);
  sessionStorage.setItem(KEY, JSON.stringify(kept));
}

let renewing: Promise<void> | null = null;

/** The token of now: one that is about to end is renewed first, where the provider allows that. */
export async function currentToken(): Promise<string> {
  const session = storedSession();
  if (session?.refreshToken != null && Date.now() >= session.renewAtMs) {
    renewing ??= renew(session, session.refreshToken).finally(() => {
      renewing = null;
    });
    await renewing;
  }
  return storedToken() ?? '';
}

async function renew(session: OidcSession, refreshToken: string): Promise<void> {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: session.clientId,
    refresh_token: refreshToken,
  });
  const response = await fetch(session.tokenEndpoint, { method: 'POST', body });
  const answer = (await response.json()) as TokenAnswer;
  // The sign-in has ended there: the token that is left is refused in its time, and the sign-in shown.
  if (response.ok) keepAnswer(answer, session, refreshToken);
  else sessionStorage.setItem(KEY, JSON.stringify({ ...session, refreshToken: null }));
}

/** Ends the sign-in here, and at the provider where that can be asked for. */
export function endSession(backTo: string): void {
  const session = storedSession();
  forgetSession();
  if (session === null || session.endSessionEndpoint === null) return;
  const address = new URL(session.endSessionEndpoint);
  address.searchParams.set('client_id', session.clientId);
  address.searchParams.set('post_logout_redirect_uri', backTo);
  if (session.idToken !== null) address.searchParams.set('id_token_hint', session.idToken);
  location.assign(address);
}
