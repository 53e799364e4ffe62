import { join } from 'node:path';
import { type Config, loadConfig } from '../../config/config.ts';
import { toError } from '../../core/errors.ts';
import { Database } from '../../db/database.ts';
import { readServerFacts, type ServerFactsRow } from '../../db/sql/doctor/read-server-facts.ts';
import { definitionsOf } from '../../domains/domain.ts';
import { registeredDomains } from '../../domains/registered.ts';
import { readDatabaseUrl } from '../local-database.ts';
import { checkCommands, checkJobTypes } from './commands.ts';
import {
  checkAutovacuum,
  checkClock,
  checkConnections,
  checkDurability,
  checkLogin,
  checkMaintenance,
  checkMigrations,
  checkRoles,
  checkRowSecurity,
  checkSessionDefaults,
  checkVersion,
} from './database.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';
import { checkDisk, checkNode } from './machine.ts';
import { checkMedia } from './media.ts';
import { checkNotifications } from './notifications.ts';
import { checkOcr } from './ocr.ts';
import { checkSpeech } from './speech.ts';
import { checkStorage } from './storage.ts';

/** Every check in order. Never throws: what goes wrong is a finding. */
export async function examine(): Promise<readonly Finding[]> {
  const node = checkNode(process.version);
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    return [node, fail('configuration', toError(error).message, 'docs/configuration.md has every setting.')];
  }
  const media = checkMedia({
    ffmpegPath: config.ffmpegPath,
    ffprobePath: config.ffprobePath,
    searchPath: config.searchPath,
    cacheDir: join(config.dataDir, 'tools'),
    allowNpm: config.allowNpmFfmpeg,
  });
  const { tesseractPath, searchPath, ocrLanguages } = config;
  const ocr = checkOcr({ tesseractPath, searchPath, languages: ocrLanguages });
  return [
    node,
    ok('configuration', 'every setting is allowed'),
    ...(await checkDatabase(config)),
    await checkStorage(config),
    await checkDisk(config.dataDir),
    ...(await media),
    await ocr,
    await checkSpeech(config, searchPath),
    await checkJobTypes(
      config.jobTypes,
      definitionsOf(registeredDomains({ echo: true })).map(({ key }) => key),
      config.commands,
    ),
    ...(await checkCommands(config.commands, config.searchPath ?? '')),
    ...(config.handlers === null ? [] : [await checkHandlers(config.handlers)]),
  ];
}

async function checkHandlers(path: string): Promise<Finding> {
  try {
    const { loadUserHandlers } = await import('../../../workers/user-handlers.ts');
    const keys = (await loadUserHandlers(path, definitionsOf(registeredDomains({ echo: true })))).map(
      ({ definition }) => definition.key,
    );
    return ok('handlers', `${keys.join(', ')} from ${path}`);
  } catch (error) {
    return fail('handlers', toError(error).message, 'docs/own-jobs.md says what such a module exports.');
  }
}

/** Checks that need the schema come after the one that looks for it; with an old server they are not made. */
const LATER = [
  'login',
  'clock',
  'durability',
  'autovacuum',
  'session-defaults',
  'temporary',
  'migrations',
  'roles',
  'row-security',
  'notifications',
  'connections',
  'maintenance',
];

async function checkDatabase(config: Config): Promise<readonly Finding[]> {
  const url = config.databaseUrl ?? (await readDatabaseUrl(config.dataDir));
  if (url === null) {
    const message = `DATABASE_URL is not set, and no embedded database runs in ${config.dataDir}`;
    const fix = 'Set DATABASE_URL, or look again while `millrace start` runs.';
    return [warn('postgres', message, fix), ...skipped('no database is known')];
  }
  const database = new Database({
    connectionString: url,
    rolePrefix: config.rolePrefix,
    maxConnections: 2,
    applicationName: 'millrace doctor',
    preparedStatements: false,
    pooler: config.pooler,
    onError: () => undefined,
    queryTimeoutMs: 10_000,
  });
  try {
    return await examineDatabase(config, url, database);
  } finally {
    await database.close();
  }
}

async function examineDatabase(config: Config, url: string, database: Database): Promise<readonly Finding[]> {
  let facts: ServerFactsRow | undefined;
  let skewMs = 0;
  try {
    // The first one pays for the connection; the clock is read on one that is there.
    await database.asLogin(readServerFacts, []);
    const beforeMs = Date.now();
    facts = (await database.asLogin<ServerFactsRow>(readServerFacts, [])).rows[0];
    skewMs = (facts?.now.getTime() ?? 0) - (beforeMs + Date.now()) / 2;
  } catch (error) {
    const fix = 'Start the server, or correct DATABASE_URL.';
    return [fail('postgres', toError(error).message, fix), ...skipped('the database does not answer')];
  }
  if (facts === undefined) return skipped('the database gave no answer');
  const version = checkVersion(facts);
  if (version.verdict === 'fail') return [version, ...skipped('the server is too old')];
  return [
    version,
    checkLogin(facts, config.databaseUrl === null),
    checkClock(skewMs),
    checkDurability(facts),
    checkAutovacuum(facts),
    ...(await checkSessionDefaults(database)),
    await checkMigrations(url),
    await checkRoles(database),
    await checkRowSecurity(database),
    await checkNotifications(database, config.listenUrl ?? url),
    await afterMigrations('connections', () => checkConnections(database)),
    await afterMigrations('maintenance', () => checkMaintenance(database)),
  ];
}

/** What needs tables that an older schema may not have. */
async function afterMigrations(check: string, examined: () => Promise<Finding>): Promise<Finding> {
  try {
    return await examined();
  } catch (error) {
    return skip(check, toError(error).message);
  }
}

function skipped(why: string): readonly Finding[] {
  return LATER.map((check) => skip(check, why));
}
