import type { AddressInfo } from 'node:net';
import { Admissions } from './access/admissions.ts';
import { Rates } from './access/rates.ts';
import type { Config } from './config/config.ts';
import { loggedKeysOf } from './core/definition.ts';
import { DomainError } from './core/errors.ts';
import { OwnerSlots } from './core/owner-slots.ts';
import { PacedTurns } from './core/paced-turns.ts';
import { setSecretNames } from './core/redaction/secret-name.ts';
import type { RunTick } from './core/tick.ts';
import { API_CONNECTIONS, apiShares } from './db/connection-shares.ts';
import { settingsForPooler } from './db/detect-pooler.ts';
import { createOutageLog } from './db/outage-log.ts';
import { retryUntilAvailable } from './db/retry-until-available.ts';
import { warnOfConnections } from './db/warn-of-connections.ts';
import { BulkRunner } from './domains/bulk-actions/api.ts';
import { type Command, commandsDomain, loadCommands } from './domains/commands/index.ts';
import {
  artifactKindsOf,
  type Domain,
  definitionsOf,
  feedTablesOf,
  graphqlPartsOf,
  restRoutesOf,
} from './domains/domain.ts';
import { registeredDomains } from './domains/registered.ts';
import { setProcessingDefaults } from './domains/videos/index.ts';
import { Fanout } from './fanout/fanout.ts';
import { openPreparer } from './graphql/prepare/open-preparer.ts';
import { buildSchema } from './graphql/schema.ts';
import { GRAPHQL_PATH } from './graphql/yoga.ts';
import { createApp } from './http/app.ts';
import { ClientAddresses } from './http/client-address.ts';
import { routesOf } from './http/route-table.ts';
import type { HttpTimes } from './http/times.ts';
import { AccessTokens } from './identity/access-token.ts';
import { Authenticator } from './identity/authenticator.ts';
import { ensureTenant } from './identity/ensure-tenant.ts';
import { IdentityWatch } from './identity/identity-watch.ts';
import { KeyUses } from './identity/key-uses.ts';
import { PayloadChecks } from './jobs/payload-checks.ts';
import { openConnections } from './open-connections.ts';
import { openRemoteWork } from './open-remote-work.ts';
import { OwnAddress, openOwnUrls } from './own-address.ts';
import { SecretBox } from './payloads/secret-box.ts';
import { pipelinesOf } from './queue/pipelines.ts';
import { PostgresProducerQueue } from './queue/producer-verbs.ts';
import { syncDefinitions } from './queue/sync-definitions.ts';
import { ENGINE_ROUTES } from './rest/routes/index.ts';
import { showState, showSubscribers } from './show-state.ts';
import { type ServerParts, stopServer } from './stop-server.ts';
import { openStorage } from './storage/open-storage.ts';
import { createFeedMetrics } from './telemetry/counted-feed.ts';
import { createLogger, type Logger } from './telemetry/log.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { openMetricsListener } from './telemetry/metrics-listener.ts';
import { createRequestMetrics } from './telemetry/request-metrics.ts';

/** Mutations of one tenant at a time. Those that enqueue share statements, so more at a time is faster. */
const MUTATIONS_PER_OWNER = 8;

export interface OpenServerOptions {
  readonly config: Config;
  /** What the API is composed of; the domains that Millrace ships by default. */
  readonly domains?: readonly Domain[];
  /** The database, embedded or that of the configuration. Its schema must be up to date. */
  readonly databaseUrl: string;
  /** The process's logger by default. */
  readonly log?: Logger;
  /** The process's figures, where something beside the server adds to them; created by default. */
  readonly metrics?: Metrics;
  /** How long HTTP clients may take, where that is not the usual. */
  readonly times?: HttpTimes;
  /** Runs a tick in this process's worker, for `POST /api/jobs/tick`; without it the route refuses. */
  readonly runTick?: RunTick;
  /** Until it fires, an unavailable database is waited for while the server opens; absent: it throws. */
  readonly awaits?: AbortSignal;
}

/** A running API: GraphQL, files and health on one port. */
export interface RunningServer {
  /** Where clients reach it, without a trailing slash. */
  readonly url: string;
  readonly graphqlUrl: string;
  /** Streams of the feed that are open; 0 once every subscriber has left. */
  readonly subscriberCount: number;
  /** Every route of its own, as `GET /graphql`. */
  readonly routes: readonly string[];
  /** The id of the tenant with this slug, made if it isn't there. */
  ensureTenant(slug: string, name: string): Promise<string>;
  /** Takes no more requests, closes sockets with 1012, lets requests under way finish. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Opens the API and listens.
 * @throws DomainError `ConfigInvalid` without the secret of signed URLs, or without any way to check tokens
 */
export async function openServer(given: OpenServerOptions): Promise<RunningServer> {
  const log = given.log ?? createLogger(given.config, 'server');
  const { awaits } = given;
  const look = () => settingsForPooler(given.config, given.databaseUrl, log);
  const config = await (awaits === undefined
    ? look()
    : retryUntilAvailable('start', look, { log, signal: awaits }));
  setSecretNames(config.secretKeys);
  setProcessingDefaults(config);
  const commands = await loadCommands(config.commands);
  const domains = [...(given.domains ?? registeredDomains(config)), commandsDomain(commands)];
  const options = { ...given, config, domains, commands };
  const metrics = options.metrics ?? createMetrics();
  const address = new OwnAddress(config);
  const { subscriberCount, ...parts } = await assemble(options, { address, metrics, log });
  const { app, connections } = parts;
  let metricsListener: ServerParts['metricsListener'] = null;
  const stop = once(() => stopServer({ ...parts, metricsListener }, config.shutdownSeconds * 1_000, log));
  try {
    const sync = () => syncDefinitions(connections.database, definitionsOf(domains));
    const signal = options.awaits;
    await (signal === undefined ? sync() : retryUntilAvailable('start', sync, { log, signal }));
    await connections.listener.start();
    await warnOfConnections(connections.database, config.maxConnections || API_CONNECTIONS, log);
    connections.feed.start();
    // Handed on to `net.Server.listen` as it is; Fastify's types do not know `reusePort` yet.
    const place = { host: config.host, port: config.port, reusePort: config.reusePort };
    await app.listen(place);
    parts.bulkActions.start();
    metricsListener = await openMetricsListener({ config, metrics, log });
  } catch (error) {
    await stop();
    throw error;
  }
  address.isAt(config.host, app.server.address() as AddressInfo);
  const { url } = address;
  log.info({ url, listener: connections.listener.mode }, 'server: listening');
  return {
    url,
    graphqlUrl: `${url}${GRAPHQL_PATH}`,
    routes: routesOf(app),
    get subscriberCount() {
      return subscriberCount();
    },
    ensureTenant: (slug, name) => ensureTenant(connections.database, slug, name),
    stop,
  };
}

interface ServerContext {
  readonly address: OwnAddress;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Makes everything, and starts nothing. */
async function assemble(
  {
    config,
    domains,
    commands,
    databaseUrl,
    times,
    runTick,
  }: OpenServerOptions & {
    readonly domains: readonly Domain[];
    readonly commands: ReadonlyMap<string, Command> | null;
  },
  { address, metrics, log }: ServerContext,
): Promise<Omit<ServerParts, 'metricsListener'> & { readonly subscriberCount: () => number }> {
  const secret = secretOf(config);
  const api = buildSchema(await graphqlPartsOf(domains));
  const restRoutes = [...ENGINE_ROUTES, ...(await restRoutesOf(domains))];
  const rates = new Rates(config);
  const preparer = await openPreparer(api.schema, config, log, rates);
  const storage = await openStorage(config);
  const { store, partials } = storage;
  const { urls, uploadUrls } = await openOwnUrls(secret, storage, address);
  const feedMetrics = createFeedMetrics(metrics);
  const connections = openConnections(config, databaseUrl, log, feedMetrics, feedTablesOf(domains));
  const { database, reads, notifier, listener, feed } = connections;
  const accessTokens = new AccessTokens(secret);
  const keyUses = new KeyUses(database, log);
  const authenticator = new Authenticator(database, config, accessTokens, keyUses);
  const identityWatch = new IdentityWatch(authenticator, listener, log, {
    onEnded: () => feedMetrics.expiredClosed(),
  });
  const pipelines = pipelinesOf(domains);
  const remote = openRemoteWork({ database, notifier, listener, pipelines, log, config, domains });
  const queue = new PostgresProducerQueue(database, notifier, {
    pipelines,
    maxPayloadBytes: config.maxPayloadBytes,
  });
  const bulkActions = new BulkRunner({ db: database, reads, queue, log });
  const jobs = {
    db: database,
    remote,
    queue,
    bulkActions,
    payloads: new PayloadChecks(config),
    store,
    urls,
    partials,
    uploadUrls,
    loggedKeys: loggedKeysOf(definitionsOf(domains)),
    artifactKinds: artifactKindsOf(domains),
    secrets: new SecretBox(config.encryptionKeys),
    commandKeys: commands === null ? null : [...commands.keys()],
    config,
  };
  const fanout = new Fanout({
    metrics: feedMetrics,
    maxFullMs: config.slowConsumerSeconds * 1_000,
    maxSubscribersPerTenant: config.maxTenantSubscriptions,
  });
  const app = createApp({
    config,
    graphql: {
      ...api,
      jobs,
      reads,
      feed,
      fanout,
      identityWatch,
      accessTokens,
      preparer,
      // A quarter of the connections for reads is always there for others. Mutations share their inserts, and
      // transactions have a bound of their own.
      slots: {
        query: new OwnerSlots(Math.max(1, Math.floor(apiShares(config.maxConnections).reads * 0.75))),
        mutation: new OwnerSlots(MUTATIONS_PER_OWNER),
      },
      metrics: feedMetrics,
      requests: createRequestMetrics(metrics),
      outages: createOutageLog(log, 'subscriptions'),
      log,
    },
    restRoutes,
    authenticator,
    admissions: new Admissions(rates),
    addresses: new ClientAddresses(config.trustedProxies),
    turns: new PacedTurns(),
    store,
    urls,
    metrics,
    log,
    ping: () => database.ping(),
    listenerMode: () => listener.mode,
    ...(times && { times }),
    ...(runTick && { runTick }),
  });
  const subscriberCount = showSubscribers(feedMetrics, feed, fanout);
  showState(metrics, connections, log);
  return {
    ...{ app, identityWatch, keyUses, payloads: jobs.payloads, bulkActions },
    ...{ storage, connections, subscriberCount },
  };
}

function secretOf(config: Config): string {
  if (config.jwtSecret === null && config.jwksUrl === null) {
    throw new DomainError('ConfigInvalid', 'Neither MILLRACE_JWT_SECRET nor MILLRACE_JWKS_URL is set', {
      field: 'MILLRACE_JWT_SECRET',
      allowed: 'a secret of at least 32 characters, or the URL of a JWKS',
    });
  }
  if (config.signingSecret !== null) return config.signingSecret;
  throw new DomainError('ConfigInvalid', 'MILLRACE_SIGNING_SECRET is not set', {
    field: 'MILLRACE_SIGNING_SECRET',
    allowed: 'at least 32 characters, the same for all servers of an installation',
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
