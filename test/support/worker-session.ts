import pg from 'pg';

/**
 * A session as a worker's connection is: its role, and plans that read no table whole. The caller ends it.
 */
export async function openWorkerSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query(
    `select set_config('role', 'millrace_worker', false), set_config('millrace.notify', 'after_commit', false),
            set_config('millrace.checked', 'by_caller', false), set_config('enable_seqscan', 'off', false)`,
  );
  return session;
}
