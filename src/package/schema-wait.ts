import { DomainError } from '../core/errors.ts';
import { waitForSchema } from '../db/migrate/wait-for-schema.ts';
import type { Logger } from '../telemetry/log.ts';

/**
 * Waits until the database is there and has every migration of this version.
 * @param waitSeconds how long at most
 * @throws DomainError `DatabaseUnsupported` when that is over
 */
export async function requireSchema(databaseUrl: string, waitSeconds: number, log: Logger): Promise<void> {
  const signal = AbortSignal.timeout(waitSeconds * 1000);
  try {
    await waitForSchema({ connectionString: databaseUrl, log, signal, pollMs: 250 });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new DomainError(
      'DatabaseUnsupported',
      `The database did not have this version's schema within ${waitSeconds} s. ` +
        '`npx millrace migrate` brings it up to date, `npx millrace doctor` says what is wrong.',
      { field: 'databaseUrl', allowed: 'a database that `millrace migrate` has brought up to date' },
      error,
    );
  }
}
