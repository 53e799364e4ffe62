import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DomainError } from '../../core/errors.ts';
import { type ApplyOptions, inRetriedTransaction } from './apply.ts';
import type { MigrationFile } from './files.ts';
import { readDefinitions } from './routines/read.ts';
import { RECORD_ROUTINES, SET_SEARCH_PATH } from './routines/sql.ts';
import { RECORD_MIGRATION } from './sql.ts';

/** A row of Prisma's bookkeeping. */
export interface AppliedMigration {
  readonly migration_name: string;
  readonly checksum: string;
}

/** The migration that says what forty before it said. */
const BASELINE = '20261203000000_baseline';
/** The last of the forty. */
const LAST_BEFORE = {
  name: '20261202012000_deleted_media',
  checksum: 'f57d1b167489c0e2738f3711b7a1af1f1c43e9e8a2ac7d144f5548b2c04c5234',
};
const COUNT_BEFORE = 40;

/** Whether a migration is one of those that the baseline stands for, of a database that can be taken over. */
export function isTakenOver(name: string, applied: readonly AppliedMigration[]): boolean {
  return name < BASELINE && isWhole(applied.filter((row) => row.migration_name < BASELINE));
}

function isWhole(before: readonly AppliedMigration[]): boolean {
  const last = before.find((row) => row.migration_name === LAST_BEFORE.name);
  return before.length === COUNT_BEFORE && last?.checksum === LAST_BEFORE.checksum;
}

/**
 * A database that the migrations before the baseline made is as the baseline makes one: their rows in the
 * bookkeeping become one, and every routine that is there is written down as one to replace or to drop. Data
 * is not touched, and jobs go on.
 * @param applied the bookkeeping as it is
 * @returns the bookkeeping as it is then
 * @throws DomainError `DatabaseUnsupported` for a database at an earlier migration
 */
export async function takeOver(
  client: pg.Client,
  applied: readonly AppliedMigration[],
  migrations: readonly MigrationFile[],
  options: ApplyOptions,
): Promise<readonly AppliedMigration[]> {
  const baseline = migrations.find(({ name }) => name === BASELINE);
  const names = new Set(migrations.map(({ name }) => name));
  const before = applied.filter((row) => row.migration_name < BASELINE && !names.has(row.migration_name));
  if (baseline === undefined || before.length === 0) return applied;
  refuseEarlier(before);
  options.log?.(`migration ${BASELINE} takes the place of ${before.length}`);
  await inRetriedTransaction(
    client,
    { title: 'taking the database over', name: BASELINE },
    options,
    async () => {
      await client.query('delete from public._prisma_migrations where migration_name = any ($1)', [
        before.map((row) => row.migration_name),
      ]);
      await client.query(RECORD_MIGRATION, [randomUUID(), baseline.checksum, baseline.name]);
      // The baseline has it without: everybody may call it.
      await client.query(`do $$ begin
      execute (select format('revoke all on function millrace.xid_number(xid8) from %s', string_agg(a.grantee::regrole::text, ', '))
                 from pg_proc p, aclexplode(p.proacl) a
                where p.oid = 'millrace.xid_number(xid8)'::regprocedure and a.grantee not in (0, p.proowner));
    exception when null_value_not_allowed then null; end $$`);
      await adoptRoutines(client);
    },
  );
  return [
    ...applied.filter((row) => !before.includes(row)),
    { migration_name: baseline.name, checksum: baseline.checksum },
  ];
}

/** With no checksum, so that each is replaced, or dropped where no file has its name. */
async function adoptRoutines(client: pg.Client): Promise<void> {
  await client.query(SET_SEARCH_PATH, [true]);
  for (const [key, definition] of await readDefinitions(client)) {
    const [kind, name] = key.split(' ');
    if (name !== 'xid_number')
      await client.query(RECORD_ROUTINES, [[kind], [name], [''], [''], [definition]]);
  }
}

function refuseEarlier(before: readonly AppliedMigration[]): void {
  const last = before.at(-1)?.migration_name;
  if (isWhole(before)) return;
  throw new DomainError(
    'DatabaseUnsupported',
    `This database is at migration ${last}; this version of Millrace takes over databases at ${LAST_BEFORE.name}. ` +
      'Run `millrace migrate` of the version that has that migration as its last one, then this one; or begin with an empty database.',
    {
      field: 'DATABASE_URL',
      allowed: `a database at ${LAST_BEFORE.name}, at a later migration, or an empty one`,
    },
  );
}
