import { KeyRound, LogIn } from 'lucide-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { MillraceError } from '../../src/client/index.ts';
import { beginSignIn, endSignIn } from './oidc.ts';
import { forgetSession } from './oidc-session.ts';
import { signInProvider } from './place.ts';
import { storedToken } from './token.ts';

const provider = signInProvider();

export function SignIn({
  problem,
  onToken,
}: {
  readonly problem: MillraceError | null;
  readonly onToken: (token: string, isKept: boolean) => void;
}) {
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const id = useId();
  useEffect(() => {
    if (provider === null) return;
    endSignIn(provider)
      .then((returnTo) => {
        const given = returnTo === null ? null : storedToken();
        if (returnTo === null || given === null) return;
        history.replaceState(null, '', returnTo);
        onToken(given, false);
      })
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  }, [onToken]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const given = token.trim().replace(/^Bearer\s+/i, '');
    forgetSession();
    if (given !== '') onToken(given, isKept);
  };
  const shown = failure ?? (problem === null ? null : whyRefused(problem));
  return (
    <main className="sign-in">
      <form className="sign-in-card" onSubmit={send}>
        <span className="mark" aria-hidden="true" />
        <h1>Sign in to Millrace</h1>
        <p className="muted">With an API key or an access token of your tenant. It stays in this browser.</p>
        {shown !== null && (
          <p className="note bad" role="alert">
            {shown}
          </p>
        )}
        <label htmlFor={id}>API key or token</label>
        <div className="field-with-icon">
          <KeyRound aria-hidden="true" size={16} />
          <input
            id={id}
            type="password"
            autoComplete="current-password"
            spellCheck={false}
            value={token}
            placeholder="mk_… or eyJ…"
            onChange={({ target }) => setToken(target.value)}
          />
        </div>
        <label className="check">
          <input type="checkbox" checked={isKept} onChange={({ target }) => setKept(target.checked)} />
          Keep me signed in on this device
        </label>
        <button type="submit" className="button primary wide" disabled={token.trim() === ''}>
          Sign in
        </button>
        {provider !== null && (
          <button
            type="button"
            className="button wide"
            onClick={() => {
              beginSignIn(provider, location.pathname + location.search).catch((error: unknown) =>
                setFailure(error instanceof Error ? error.message : String(error)),
              );
            }}
          >
            <LogIn aria-hidden="true" size={16} />
            Sign in with {new URL(provider.issuer).hostname}
          </button>
        )}
        <details>
          <summary>Where do I get one?</summary>
          <pre className="code">
            npx millrace token create --tenant acme \{'\n'} --role tenant_admin --api-key --name console
          </pre>
        </details>
      </form>
    </main>
  );
}

function whyRefused({ message }: MillraceError): string {
  return `You were not let in: ${message} It may be mistyped, revoked or expired.`;
}
