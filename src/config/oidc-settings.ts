import { optionalText, text } from './settings.ts';

/** Signing in to the console with an identity provider; see docs/console.md. */
export const OIDC_SETTINGS = {
  oidcIssuer: optionalText(
    'MILLRACE_OIDC_ISSUER',
    'Identity provider that the console offers for signing in (code flow with PKCE); its keys are those of MILLRACE_JWKS_URL. See console.md.',
    /^https?:\/\/\S+$/,
    'an http:// or https:// URL',
  ),
  oidcClientId: optionalText(
    'MILLRACE_OIDC_CLIENT_ID',
    'The console as that provider knows it: a public client.',
    /^\S+$/,
    'a client id',
  ),
  oidcScope: text(
    'MILLRACE_OIDC_SCOPE',
    'What the console asks that provider for.',
    'openid profile',
    /[\s\S]/,
    'scopes with spaces between them',
  ),
};
