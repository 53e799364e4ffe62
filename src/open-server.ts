import type { AddressInfo } from 'node:net';
import type { Config } from './config/config.ts';
import { builtInDefinitions } from './core/definitions/catalog.ts';
import { DomainError } from './core/errors.ts';
import type { RunTick } from './core/tick.ts';
import { Fanout } from './fanout/fanout.ts';
import { openPreparer } from './graphql/prepare/open-preparer.ts';
import { GRAPHQL_PATH } from './graphql/yoga.ts';
import { createApp } from './http/app.ts';
import { routesOf } from './http/route-table.ts';
import type { HttpTimes } from './http/times.ts';
import { Authenticator } from './identity/authenticator.ts';
import { ensureTenant } from './identity/ensure-tenant.ts';
import { IdentityWatch } from './identity/identity-watch.ts';
import { PayloadValidator } from './jobs/payload-validator.ts';
import { closeWays, openWays, type Ways } from './open-ways.ts';
import { measureDepth } from './queue/measure-depth.ts';
import { PostgresProducerQueue } from './queue/producer-verbs.ts';
import { syncDefinitions } from './queue/sync-definitions.ts';
import { openStorage } from './storage/open-storage.ts';
import { createUrlSigner } from './storage/url-signer.ts';
import { createFeedMetrics } from './telemetry/counted-feed.ts';
import { createLogger, type Logger } from './telemetry/log.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { openMetricsListener } from './telemetry/metrics-listener.ts';
import { addQueueMetrics } from './telemetry/queue-metrics.ts';
import { createRequestMetrics } from './telemetry/request-metrics.ts';

export interface OpenServerOptions {
  readonly config: Config;
  /** The database, which may be an embedded one that the configuration does not know. Its schema must be up to date. */
  readonly databaseUrl: string;
  /** The process's logger by default. */
  readonly log?: Logger;
  /** The process's figures, where something beside the server adds to them; made here by default. */
  readonly metrics?: Metrics;
  /** How long HTTP clients may take, where that is not the usual. */
  readonly times?: HttpTimes;
  /** Runs a tick in this process's worker, for `POST /api/jobs/tick`; without one the route says that there is none. */
  readonly runTick?: RunTick;
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
  /** Takes no more requests, closes sockets with 1012, lets requests under way finish. May be called any number of times. */
  stop(): Promise<void>;
}

/** What closing the connections to the database is given, even when the grace period is over. */
const MIN_CLOSE_MS = 2_000;

/**
 * Opens the API and listens.
 * @throws DomainError `ConfigInvalid` without the secret of signed URLs, or without any way to check tokens
 */
export async function openServer(options: OpenServerOptions): Promise<RunningServer> {
  const { config, databaseUrl } = options;
  const log = options.log ?? createLogger(config, 'server');
  const signingSecret = secretOf(config);
  const preparer = await openPreparer(config, log);
  const storage = await openStorage(config);
  const { store } = storage;
  const metrics = options.metrics ?? createMetrics();
  const feedMetrics = createFeedMetrics(metrics);
  const ways = openWays(config, databaseUrl, log, feedMetrics);
  const { database, reads, bell, listener, feed } = ways;
  // Read at each signing: with port 0 nobody knows the address before it listens.
  let url = config.publicUrl?.replace(/\/+$/, '') ?? '';
  const ownUrls = createUrlSigner({
    get baseUrl() {
      return `${url}/files`;
    },
    secrets: [new TextEncoder().encode(signingSecret)],
  });
  const urls = await storage.urls(ownUrls);
  const authenticator = new Authenticator(database, config);
  const identityWatch = new IdentityWatch(authenticator, listener, log);
  const queue = new PostgresProducerQueue(database, bell, config.maxPayloadBytes);
  const jobs = {
    db: database,
    queue,
    validator: new PayloadValidator(config.maxPayloadBytes),
    store,
    urls,
    config,
  };
  const fanout = new Fanout({
    metrics: feedMetrics,
    maxFullMs: config.slowConsumerSeconds * 1_000,
    maxSubscribersPerTenant: config.maxTenantSubscriptions,
  });
  // A source of the feed that is shared is one stream there, however many receive from it.
  const subscriberCount = (): number => feed.memberCount - fanout.streamCount + fanout.subscriberCount;
  const app = createApp({
    config,
    graphql: {
      jobs,
      reads,
      feed,
      fanout,
      identityWatch,
      preparer,
      metrics: feedMetrics,
      requests: createRequestMetrics(metrics),
      log,
    },
    authenticator,
    store,
    urls,
    metrics,
    log,
    ping: () => database.ping(),
    listenerMode: () => listener.mode,
    ...(options.times && { times: options.times }),
    ...(options.runTick && { runTick: options.runTick }),
  });
  feedMetrics.observe({
    subscriberCount,
    groupCount: () => fanout.groupCount,
    tailerLagSeconds: () => feed.lagSeconds,
  });
  showState(metrics, ways, log);
  let metricsListener: Awaited<ReturnType<typeof openMetricsListener>> = null;
  const stop = once(async () => {
    // What has not finished by then (a stalled upload) will not: a stop must not wait for a client's good will.
    const graceMs = config.shutdownSeconds * 1_000;
    const startedMs = performance.now();
    const deadline = setTimeout(() => app.server.closeAllConnections(), graceMs);
    await app.close();
    clearTimeout(deadline);
    await metricsListener?.close();
    identityWatch.stop();
    store.close?.();
    // Nor for a database that does not answer: whoever supervises this process has set a time as well.
    const leftMs = Math.max(MIN_CLOSE_MS, graceMs - (performance.now() - startedMs));
    if (!(await endsWithin(closeWays(ways), leftMs)))
      log.warn('server: connections to the database did not close in time');
  });
  try {
    await syncDefinitions(database, builtInDefinitions(config));
    await listener.start();
    feed.start();
    // Handed on to `net.Server.listen` as it is; Fastify's types do not know `reusePort` yet.
    const address = { host: config.host, port: config.port, reusePort: config.reusePort };
    await app.listen(address);
    metricsListener = await openMetricsListener({ config, metrics, log });
  } catch (error) {
    await stop();
    throw error;
  }
  if (url === '') url = addressOf(config.host, app.server.address() as AddressInfo);
  log.info({ url, listener: listener.mode }, 'server: listening');
  return {
    url,
    graphqlUrl: `${url}${GRAPHQL_PATH}`,
    routes: routesOf(app),
    get subscriberCount() {
      return subscriberCount();
    },
    ensureTenant: (slug, name) => ensureTenant(database, slug, name),
    stop,
  };
}

/** Figures that are read when somebody asks for them. */
function showState(metrics: Metrics, { database, listener }: Ways, log: Logger): void {
  metrics.readAt(
    'millrace_feed_polling',
    '1 while changes are found by polling alone, since LISTEN is not to be had.',
    () => (listener.mode === 'polling' ? 1 : 0),
  );
  addQueueMetrics(metrics, { measure: () => measureDepth(database), log });
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

/** An address that a client on this machine can use; "any" addresses are none. */
function addressOf(host: string, { address, family, port }: AddressInfo): string {
  const isAny = address === '0.0.0.0' || address === '::';
  const name = isAny ? '127.0.0.1' : host === 'localhost' ? host : address;
  return `http://${family === 'IPv6' && !isAny && name !== 'localhost' ? `[${name}]` : name}:${port}`;
}

/** @returns false when it takes longer */
async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  const ended = await Promise.race([work.then(() => true), late.promise]);
  clearTimeout(timer);
  return ended;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
