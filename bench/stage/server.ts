import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { type Program, startProgram } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait.ts';
import { SECRET, type Stage } from './stage.ts';

const START_TIMEOUT_MS = 120_000;
/** One caller asks for all that a server can give, which is more than one may have. */
const NO_RATES = { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' };

/**
 * Starts the server process on a stage's database and waits until it listens.
 * @param settings laid over those of the stage; no rates by default
 */
export async function startServer(
  stage: Stage,
  settings: Readonly<Record<string, string>> = NO_RATES,
): Promise<{ readonly program: Program; readonly graphqlUrl: string; readonly token: string }> {
  const program = startProgram('src/server.ts', [], { ...stage.env, ...settings });
  const logged = await said(program, /"url":"([^"]+)"/, 'the server to listen');
  const token = await signToken(loadConfig({ MILLRACE_JWT_SECRET: SECRET }), {
    subject: 'bench',
    tenantId: stage.tenantId,
    role: 'tenant_admin',
    ttlSeconds: 3600,
  });
  return { program, graphqlUrl: `${logged[1]}/graphql`, token };
}

/**
 * Starts the worker process that ships and waits until it claims.
 * @param settings laid over those of the stage
 */
export async function startShippedWorker(
  stage: Stage,
  settings: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const program = startProgram('workers/main.ts', [], { ...stage.env, ...settings });
  await said(program, /worker: started/, 'the worker to start');
  return program;
}

async function said(program: Program, pattern: RegExp, what: string): Promise<RegExpExecArray> {
  try {
    return await waitFor(() => pattern.exec(program.stderr()), {
      describe: () => `${what}; it said:\n${program.stderr()}`,
      timeoutMs: START_TIMEOUT_MS,
    });
  } catch (thrown) {
    await program.kill();
    throw thrown;
  }
}
