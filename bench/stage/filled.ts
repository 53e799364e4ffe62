import pg from 'pg';
import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { fillWithJobs } from '../../test/support/million-jobs.ts';
import type { MeasureContext } from '../measuring/measure.ts';
import { openStage, SECRET, type Stage } from './stage.ts';

/** A stage that holds many finished jobs, and what speaks for its largest tenant. */
export interface FilledStage extends AsyncDisposable {
  readonly stage: Stage;
  readonly superuser: pg.Client;
  /** A tenant with half of all jobs, and one with a two-hundredth of a half. */
  readonly large: string;
  readonly small: string;
  readonly token: string;
}

/** Opens a stage and fills it with this many jobs. */
export async function openFilledStage(context: MeasureContext, count: number): Promise<FilledStage> {
  await using opening = new AsyncDisposableStack();
  const stage = opening.use(await openStage(context));
  const superuser = new pg.Client({ connectionString: stage.databaseUrl });
  await superuser.connect();
  opening.defer(() => superuser.end());
  const startedMs = performance.now();
  const { large, small } = await fillWithJobs(superuser, count);
  await superuser.query('vacuum (analyze) millrace.jobs, millrace.tenant_jobs');
  context.say(`${count} jobs put in within ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  const token = await signToken(loadConfig({ MILLRACE_JWT_SECRET: SECRET }), {
    subject: 'bench',
    tenantId: large,
    role: 'tenant_admin',
    ttlSeconds: 36_000,
  });
  const opened = opening.move();
  return { stage, superuser, large, small, token, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
