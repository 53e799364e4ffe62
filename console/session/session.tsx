import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { createMillraceClient, MillraceError } from '../../src/client/index.ts';
import { MillraceProvider } from '../../src/react/index.ts';
import { Viewer } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { redirectUri } from './oidc.ts';
import { currentToken, endSession, forgetSession } from './oidc-session.ts';
import { GRAPHQL_URL } from './place.ts';
import { SignIn } from './sign-in.tsx';
import { SignOutContext } from './sign-out.ts';
import { storedTenant, storeTenant, TenantChoiceContext } from './tenant-choice.ts';
import { forgetToken, storedToken, storeToken } from './token.ts';
import { useRestWhileHidden } from './use-rest-while-hidden.ts';
import { ViewerContext } from './viewer.ts';

/**
 * Shows its children to those who are signed in, and the sign-in to others. One client, and so one socket,
 * for the whole tab.
 */
export function Session({ children }: { readonly children: ReactNode }) {
  const [token, setToken] = useState(storedToken);
  const [problem, setProblem] = useState<MillraceError | null>(null);
  const queries = useQueryClient();
  const [tenantId, setTenantId] = useState(storedTenant);
  const signOut = useCallback(
    (why: MillraceError | null = null) => {
      forgetToken();
      forgetSession();
      storeTenant(null);
      setTenantId(null);
      queries.clear();
      setProblem(why);
      setToken(null);
    },
    [queries],
  );
  const choice = useMemo(
    () => ({
      tenantId,
      choose: (next: string) => {
        storeTenant(next);
        queries.clear();
        setTenantId(next);
      },
    }),
    [tenantId, queries],
  );
  if (token === null)
    return (
      <SignIn
        problem={problem}
        onToken={(given, isKept) => {
          storeToken(given, isKept);
          setProblem(null);
          setToken(given);
        }}
      />
    );
  return (
    <TenantChoiceContext value={choice}>
      <SignedIn key={`${token} ${tenantId}`} tenantId={tenantId} onRefused={signOut}>
        {children}
      </SignedIn>
    </TenantChoiceContext>
  );
}

function SignedIn({
  tenantId,
  onRefused,
  children,
}: {
  readonly tenantId: string | null;
  readonly onRefused: (why: MillraceError | null) => void;
  readonly children: ReactNode;
}) {
  const client = useMemo(
    () =>
      createMillraceClient({
        url: GRAPHQL_URL,
        token: currentToken,
        // A tab is looked at by somebody: it is there again soon after its server is.
        backoff: { firstMs: 500, maxMs: 5_000 },
        ...(tenantId !== null && { tenantId }),
      }),
    [tenantId],
  );
  const viewer = useQuery({
    queryKey: ['viewer', tenantId],
    queryFn: ({ signal }) => run(client, Viewer, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { error } = viewer;
  useEffect(() => {
    if (error instanceof MillraceError && error.code === 'UNAUTHENTICATED') onRefused(error);
  }, [error, onRefused]);
  useRestWhileHidden(client);
  const signOut = useCallback(() => {
    endSession(redirectUri());
    onRefused(null);
  }, [onRefused]);
  if (viewer.data === undefined)
    return error === null ? (
      <div className="splash" aria-busy="true" />
    ) : (
      <main className="splash">
        <ErrorNote error={error} onRetry={() => void viewer.refetch()} />
      </main>
    );
  return (
    <MillraceProvider client={client}>
      <ViewerContext value={viewer.data.viewer}>
        <SignOutContext value={signOut}>{children}</SignOutContext>
      </ViewerContext>
    </MillraceProvider>
  );
}
