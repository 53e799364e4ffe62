import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True where Debian's package is installed, as `.ci/run` does: there it must be. */
export const hasPsql: boolean = await run('psql', ['--version']).then(
  () => true,
  () => false,
);
if (!hasPsql && process.env['CI'] !== undefined) throw new Error('psql is missing; in CI it must be there');

/**
 * Runs a shell script that calls psql, with these variables and no others. @throws Error with what it said
 * when it fails
 */
export async function runPsqlScript(path: string, env: Readonly<Record<string, string>>): Promise<void> {
  await run('sh', [path], { env: { PATH: process.env['PATH'] ?? '', ...env } });
}
