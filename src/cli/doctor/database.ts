import { toError } from '../../core/errors.ts';
import type { Database } from '../../db/database.ts';
import { migrationStatus } from '../../db/migrate/status.ts';
import { BASE_SETTINGS } from '../../db/session-settings.ts';
import { findRoleStandings, type RoleStandingRow } from '../../db/sql/doctor/find-role-standings.ts';
import { findRowSecurity, type RowSecurityRow } from '../../db/sql/doctor/find-row-security.ts';
import { type ConnectionRoomRow, readConnectionRoom } from '../../db/sql/doctor/read-connection-room.ts';
import { type DutyRow, readDuties } from '../../db/sql/doctor/read-duties.ts';
import type { ServerFactsRow } from '../../db/sql/doctor/read-server-facts.ts';
import { readSessionDefaults, type SessionDefaultsRow } from '../../db/sql/doctor/read-session-defaults.ts';
import { connectionShortage } from '../../db/warn-of-connections.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const LEAST_VERSION = 180_000;
const MOST_SKEW_MS = 2_000;

export function checkVersion({ version, version_number: number }: ServerFactsRow): Finding {
  if (number >= LEAST_VERSION) return ok('postgres', version);
  return fail(
    'postgres',
    `the server is Postgres ${version}`,
    'Use Postgres 18 or newer: the claim relies on the B-tree skip scan, the keys on uuidv7().',
  );
}

/**
 * A superuser passes by row security: nothing but our own SET ROLE would keep tenants apart.
 * @param isEmbedded the database is the embedded one, whose login Millrace has made itself
 */
export function checkLogin(facts: ServerFactsRow, isEmbedded: boolean): Finding {
  const { login, is_superuser: isSuperuser, bypasses_row_security: bypasses } = facts;
  if (isEmbedded) return ok('login', `${login}, of the embedded database`);
  if (!isSuperuser && !bypasses) return ok('login', `${login} is an ordinary login`);
  return warn(
    'login',
    `${login} ${isSuperuser ? 'is a superuser' : 'bypasses row security'}`,
    'Give Millrace a login of its own (create role … login), and run what `millrace roles --sql --login <it>` prints.',
  );
}

/** @param skewMs how far the database's clock is ahead of this machine's */
export function checkClock(skewMs: number): Finding {
  const shown = `${Math.abs(Math.round(skewMs))} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`;
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return ok('clock', `the database is ${shown}`);
  return warn(
    'clock',
    `the database is ${shown}`,
    'Run NTP on both. Due times go by the database, but tokens are judged by this clock.',
  );
}

/** What a crash of the machine would lose. */
export function checkDurability(facts: ServerFactsRow): Finding {
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
  const off = settings.filter((name) => facts[name] === 'off');
  if (off.length === 0) return ok('durability', settings.map((name) => `${name}=${facts[name]}`).join(', '));
  return warn(
    'durability',
    `${off.map((name) => `${name}=off`).join(', ')}: a crash loses jobs that were acknowledged, or the database`,
    `Set ${off.map((name) => `${name} = on`).join(', ')} in postgresql.conf.`,
  );
}

/** A queue makes dead rows faster than anything else; without vacuum every claim gets slower. */
export function checkAutovacuum({ autovacuum, track_counts: trackCounts }: ServerFactsRow): Finding {
  if (autovacuum === 'on' && trackCounts === 'on') return ok('autovacuum', 'on');
  const off = autovacuum === 'on' ? 'track_counts' : 'autovacuum';
  return warn('autovacuum', `${off} is off`, `Set ${off} = on in postgresql.conf.`);
}

/**
 * Millrace sets what it relies on for its own sessions; other programs of this database have to see to
 * themselves.
 */
export async function checkSessionDefaults(database: Database): Promise<readonly Finding[]> {
  const names = [
    ...Object.keys(BASE_SETTINGS).map((name) => name.toLowerCase()),
    'session_replication_role',
    'role',
  ];
  const { rows } = await database.asLogin<SessionDefaultsRow>(readSessionDefaults, [names]);
  const given = rows[0]?.given ?? [];
  const hasTemporary = rows[0]?.has_temporary === true;
  return [
    given.length === 0
      ? ok('session-defaults', 'none that matter were given to this database or login')
      : warn(
          'session-defaults',
          `given to this database or login: ${given.join('; ')}`,
          'Millrace sets its own for its sessions, but SQL callers have these: alter database … reset …, alter role … reset ….',
        ),
    hasTemporary
      ? warn(
          'temporary',
          'everybody who may connect may make temporary tables and types in this database',
          'Let its owner run: revoke temporary on database … from public;',
        )
      : ok('temporary', 'only for those who were given it by name'),
  ];
}

export async function checkMigrations(connectionString: string): Promise<Finding> {
  try {
    const { applied, pending, edited, unknown, routines } = await migrationStatus(connectionString);
    const lists: readonly (readonly [what: string, names: readonly string[]])[] = [
      ['pending', [...pending, ...routines.pending]],
      ['edited since they were applied', edited],
      ['of another version', unknown],
      ['changed in the database', routines.edited],
      ['to be dropped', routines.gone],
    ];
    const problem = lists
      .flatMap(([what, names]) => (names.length > 0 ? [`${what}: ${shorten(names)}`] : []))
      .join('; ');
    if (problem === '') {
      return ok(
        'migrations',
        `${applied.length} applied, none pending; ${routines.applied} routines as their files`,
      );
    }
    const fix =
      edited.length + unknown.length > 0
        ? 'Run the version of Millrace that applied them, or a newer one.'
        : 'Run `millrace migrate`.';
    return fail('migrations', problem, fix);
  } catch (error) {
    return fail(
      'migrations',
      toError(error).message,
      'Give the login the right to read public._prisma_migrations and public._millrace_routines.',
    );
  }
}

const MOST_NAMED = 10;

function shorten(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

export async function checkRoles(database: Database): Promise<Finding> {
  const { rows } = await database.asLogin<RoleStandingRow>(findRoleStandings, [
    Object.values(database.roles),
  ]);
  const problems = rows.flatMap((row) => {
    if (!row.is_there) return [`${row.name} is missing`];
    if (!row.may_become) return [`this login may not become ${row.name}`];
    return row.bypasses_row_security ? [`${row.name} bypasses row security`] : [];
  });
  if (problems.length === 0) return ok('roles', rows.map((row) => row.name).join(', '));
  const fix = problems.some((problem) => problem.endsWith('row security'))
    ? 'alter role … nosuperuser nobypassrls;'
    : 'Run `millrace migrate`, or let an administrator run what `millrace roles --sql --login <login>` prints.';
  return fail('roles', problems.join('; '), fix);
}

export async function checkRowSecurity(database: Database): Promise<Finding> {
  const { rows } = await database.asLogin<RowSecurityRow>(findRowSecurity, []);
  const open = rows.filter((row) => !row.is_enabled || !row.is_forced || row.policy_count === 0);
  if (rows.length === 0)
    return fail('row-security', 'there are no tables of Millrace', 'Run `millrace migrate`.');
  if (open.length === 0) return ok('row-security', `forced, with policies, on ${rows.length} tables`);
  const shown = open.map((row) => `${row.table_name} (${whatIsOpen(row)})`).join(', ');
  return fail(
    'row-security',
    shown,
    'Run `millrace migrate`: it applies prisma/routines/access/row_security.policy.sql again.',
  );
}

/** Whether the server takes the connections that the live workers and one API may open. */
export async function checkConnections(database: Database): Promise<Finding> {
  const { rows } = await database.asWorker<ConnectionRoomRow>(readConnectionRoom, []);
  const room = rows[0] as ConnectionRoomRow;
  const shortage = connectionShortage(room, 0);
  const { open, allowed, ours, workers } = room;
  if (shortage === null)
    return ok(
      'connections',
      `${open} of ${allowed} are open, ${ours} of them Millrace's; ${workers} workers`,
    );
  return warn(
    'connections',
    shortage,
    'Raise max_connections, lower MILLRACE_MAX_CONNECTIONS, or put a pooler in front.',
  );
}

/** A duty that had no turn for this many of its intervals, and for this long, is late. */
const LATE_INTERVALS = 10;
const LATE_SECONDS = 300;
const LAG_SECONDS = 6 * 3_600;

/** Whether the leader does its duties, and how far behind they say that they are. */
export async function checkMaintenance(database: Database): Promise<Finding> {
  const { rows } = await database.asWorker<DutyRow>(readDuties, []);
  if (rows.length === 0)
    return warn(
      'maintenance',
      'no process has done any of its duties yet',
      'Start a worker: each can look after the queue.',
    );
  const faults = rows.flatMap((duty) => faultOf(duty) ?? []);
  if (faults.length > 0)
    return warn(
      'maintenance',
      faults.join('; '),
      'The log of the leading worker says why: look for "maintenance:".',
    );
  const lags = rows.flatMap(({ name, lag_seconds: lag }) =>
    lag === null ? [] : [`${name} ${Math.round(lag)} s behind`],
  );
  return ok('maintenance', [`${rows.length} duties`, ...lags].join(', '));
}

function faultOf({
  name,
  every_seconds: every,
  since_seconds: since,
  failure_count,
  error,
  lag_seconds,
}: DutyRow): string | null {
  if (failure_count > 0) return `${name} has failed ${failure_count} times: ${error ?? ''}`;
  if (since > Math.max(LATE_SECONDS, LATE_INTERVALS * every))
    return `${name} had no turn for ${Math.round(since)} s`;
  return lag_seconds !== null && lag_seconds > LAG_SECONDS
    ? `${name} is ${Math.round(lag_seconds / 3600)} hours behind`
    : null;
}

function whatIsOpen(row: RowSecurityRow): string {
  if (!row.is_enabled) return 'not enabled';
  return row.is_forced ? 'no policy' : 'not forced';
}
