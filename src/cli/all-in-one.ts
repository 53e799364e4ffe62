import type { Registration } from '../../workers/handler.ts';
import { stopOnSignals } from '../../workers/stop-on-signals.ts';
import { watchStrayErrors } from '../../workers/stray-errors.ts';
import type { Config } from '../config/config.ts';
import { migrateUrlOf } from '../config/listen-url.ts';
import { toError } from '../core/errors.ts';
import type { RunTick } from '../core/tick.ts';
import { retryUntilAvailable } from '../db/retry-until-available.ts';
import { definitionsOf } from '../domains/domain.ts';
import { registeredDomains } from '../domains/registered.ts';
import { hasConsole } from '../http/console-files.ts';
import type { TokenRequest } from '../identity/sign-token.ts';
import type { RunningServer } from '../open-server.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import type { ApiClient } from './call-api.ts';
import { chooseDatabase } from './choose-database.ts';
import { withDevelopmentOrigins } from './development-origins.ts';
import { localSecrets } from './local-secrets.ts';
import { readyBlock, readyLine } from './ready.ts';
import { addSampleVideo } from './sample.ts';
import { searchBlock, searchSample } from './sample-search.ts';
import { visible } from './visible.ts';

/** What has been started, to be stopped in the opposite order. */
type Started = { readonly what: string; readonly stop: () => Promise<void> };

const TOKEN_DAYS = 30;

/**
 * Database, migrations, API and one worker in this process, until a signal stops it. Prints the ready line on
 * stdout when all is up, and a block for people on stderr.
 * @param isDemo makes the tenant `demo`, prints a token of its admin, and puts the sample video in at the
 *   first start
 */
export async function runAllInOne(settings: Config, isDemo: boolean): Promise<void> {
  const given = isDemo ? withDevelopmentOrigins(settings) : settings;
  const log = createLogger(given, 'millrace');
  // Before anything is started: what is wrong with a user's own jobs is said at once.
  const own = given.handlers === null ? [] : await loadOwn(given.handlers);
  const signals = stopOnSignals(log);
  const stray = watchStrayErrors(log, given.onStrayError);
  const started: Started[] = [];
  try {
    // Postgres starts while the larger modules are still being read.
    const modules = loadModules();
    modules.catch(() => undefined);
    const database = await chooseDatabase(given, log);
    started.push({ what: 'database', stop: database.stop });
    // Under the data directory's lock, so that two first starts do not each make their own.
    const config = await withSecrets(given);
    const { migrate, openServer, openWorker, builtInRegistrations, signToken } = await modules;
    const starting = new AbortController();
    signals.onFirst(() => starting.abort());
    const { signal: awaits } = starting;
    const migrated = () =>
      migrate({
        connectionString: migrateUrlOf(config, database.url),
        rolePrefix: config.rolePrefix,
        log: (message) => log.info(message),
        signal: awaits,
      });
    await retryUntilAvailable('start', migrated, { log, signal: awaits });
    const metrics = createMetrics();
    const openingWorker = openWorker({
      config,
      figures: metrics,
      databaseUrl: database.url,
      registrations: [...(await builtInRegistrations(config)), ...own],
      awaits,
      // The guard's way out is a supervisor that starts the worker again; here it would take the API along.
      exitWhenBlocked: false,
    });
    const runTick: RunTick = async (max) => (await openingWorker).tick(max);
    const opening = [
      openServer({ config, databaseUrl: database.url, metrics, runTick, awaits }),
      openingWorker,
    ] as const;
    // Both, even if one fails: what did open has to be stopped.
    for (const [index, opened] of (await Promise.allSettled(opening)).entries()) {
      if (opened.status === 'fulfilled')
        started.push({ what: ['server', 'worker'][index] ?? '', stop: () => opened.value.stop() });
    }
    const [server, worker] = await Promise.all(opening);
    signals.onSecond(() => void worker.stopNow());

    const token = isDemo ? await demoToken(config, server, signToken) : null;
    const facts = {
      url: server.url,
      graphqlUrl: server.graphqlUrl,
      token,
      notes: database.notes,
      tokenDays: TOKEN_DAYS,
      hasPlayground: config.playground,
      hasConsole: hasConsole(),
    };
    process.stdout.write(readyLine(facts));
    process.stderr.write(readyBlock(facts));
    const stopping = new AbortController();
    const showing =
      token !== null ? showSample({ graphqlUrl: server.graphqlUrl, token }, log, stopping.signal) : undefined;
    const isStray = await Promise.race([signals.first.then(() => false), stray.first.then(() => true)]);
    if (isStray) {
      process.exitCode = 1;
      await worker.stopNow();
    }
    stopping.abort();
    await showing;
  } finally {
    await stopAll(started, log);
    signals.close();
    stray.close();
  }
}

/** A token for the admin of the tenant `demo`, which is created if it does not exist. */
async function demoToken(
  config: Config,
  server: RunningServer,
  sign: (config: Config, request: TokenRequest) => Promise<string>,
): Promise<string> {
  const tenantId = await server.ensureTenant('demo', 'Demo');
  const ttlSeconds = TOKEN_DAYS * 86_400;
  return sign(config, { subject: 'demo', tenantId, role: 'tenant_admin', ttlSeconds });
}

async function loadOwn(path: string): Promise<readonly Registration[]> {
  const { loadUserHandlers } = await import('../../workers/user-handlers.ts');
  return loadUserHandlers(path, definitionsOf(registeredDomains({ echo: true })));
}

async function loadModules() {
  const [{ migrate }, { openServer }, { openWorker }, { builtInRegistrations }, { signToken }] =
    await Promise.all([
      import('../db/migrate/migrate.ts'),
      import('../open-server.ts'),
      import('../../workers/open-worker.ts'),
      import('../../workers/registrations.ts'),
      import('../identity/sign-token.ts'),
    ]);
  return { migrate, openServer, openWorker, builtInRegistrations, signToken };
}

/** What the configuration does not set is made once and kept in the data directory. */
async function withSecrets(config: Config): Promise<Config> {
  if (config.jwtSecret !== null && config.signingSecret !== null) return config;
  const own = await localSecrets(config.dataDir);
  return {
    ...config,
    jwtSecret: config.jwtSecret ?? own.jwtSecret,
    signingSecret: config.signingSecret ?? own.signingSecret,
  };
}

/**
 * The platform is up without it: a sample that cannot be put in, or does not come through, is a warning.
 * Never throws.
 */
async function showSample(api: ApiClient, log: Logger, signal: AbortSignal): Promise<void> {
  try {
    const { videoId, isNew } = await addSampleVideo(api);
    log.info(
      isNew ? 'sample: uploaded; its pipeline has begun' : 'sample: already there from an earlier start',
    );
    const onProgress = (stage: string, percent: number) =>
      log.info(`sample: ${stage}, ${Math.floor(percent)} % of the way`);
    process.stderr.write(visible(searchBlock(await searchSample(api, videoId, { onProgress, signal }))));
  } catch (thrown) {
    if (signal.aborted) return;
    log.warn({ reason: toError(thrown).message }, 'sample: did not come through');
  }
}

async function stopAll(started: Started[], log: Logger): Promise<void> {
  for (let next = started.pop(); next !== undefined; next = started.pop()) {
    const { what, stop } = next;
    await stop().catch((thrown) =>
      log.error({ reason: toError(thrown).message }, `${what}: did not stop cleanly`),
    );
  }
}
