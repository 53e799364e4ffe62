import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../telemetry/log.ts';
import { type BackendPidRow, readBackendPid } from './sql/feed/read-backend-pid.ts';

const LOOKS = 5;
const ANSWER_TIMEOUT_MS = 2_000;

export interface PoolerSettings {
  readonly pooler: 'none' | 'transaction';
  readonly preparedStatements: boolean;
}

/**
 * The settings as they are, or those for a pooler in transaction mode where there is one that they do not
 * name: prepared statements and settings of a session would reach other sessions there.
 * @throws what the connection throws
 */
export async function settingsForPooler<T extends PoolerSettings>(
  settings: T,
  databaseUrl: string,
  log: Logger,
): Promise<T> {
  if (settings.pooler !== 'none' || !(await sharesSessions(databaseUrl))) return settings;
  log.warn(
    'DATABASE_URL goes through a pooler in transaction mode: going on as with MILLRACE_POOLER=transaction and MILLRACE_PREPARED_STATEMENTS=off; set them, and MILLRACE_LISTEN_URL past the pooler',
  );
  return { ...settings, pooler: 'transaction', preparedStatements: false };
}

/**
 * Whether one connection's statements run in different sessions: whether there is a pooler in transaction
 * mode in between.
 */
async function sharesSessions(connectionString: string): Promise<boolean> {
  const first = await connect(connectionString);
  try {
    const own = await pidOf(first);
    // A pooler gives its clients process ids of its own making.
    if (own === (first as unknown as { readonly processID: number | null }).processID) return false;
    const second = await connect(connectionString);
    try {
      for (let look = 0; look < LOOKS; look++) {
        // The session that answered just now is likely lent to this one, until its transaction ends.
        await second.query('begin');
        if ((await pidOf(second)) === own) return true;
        const now = await Promise.race([pidOf(first), sleep(ANSWER_TIMEOUT_MS, 'none', { ref: false })]);
        if (now !== own) return true;
        await second.query('rollback');
      }
      return false;
    } finally {
      await second.end().catch(() => undefined);
    }
  } finally {
    await first.end().catch(() => undefined);
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'millrace',
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function pidOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<BackendPidRow>(readBackendPid.text)).rows[0]?.pid;
}
