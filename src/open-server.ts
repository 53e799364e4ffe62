import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { builtInDefinitions } from './core/definitions/catalog.ts';
import { DomainError } from './core/errors.ts';
import type { RunTick } from './core/tick.ts';
import { type Bell, createBell } from './db/bell.ts';
import { WATCH_CHANNEL } from './db/channels.ts';
import { Database } from './db/database.ts';
import { createListener, type Listener } from './db/listener.ts';
import { ReadDatabase } from './db/prisma.ts';
import { createFeed, type Feed } from './events/feed.ts';
import { GRAPHQL_PATH } from './graphql/yoga.ts';
import { createApp } from './http/app.ts';
import type { HttpTimes } from './http/times.ts';
import { Authenticator } from './identity/authenticator.ts';
import { ensureTenant } from './identity/ensure-tenant.ts';
import { IdentityWatch } from './identity/identity-watch.ts';
import { PayloadValidator } from './jobs/payload-validator.ts';
import { PostgresProducerQueue } from './queue/producer-verbs.ts';
import { syncDefinitions } from './queue/sync-definitions.ts';
import { openLocalStore } from './storage/local-store.ts';
import { createUrlSigner } from './storage/url-signer.ts';
import { createLogger, type Logger } from './telemetry/log.ts';

export interface OpenServerOptions {
  readonly config: Config;
  /** The database, which may be an embedded one that the configuration does not know. Its schema must be up to date. */
  readonly databaseUrl: string;
  /** The process's logger by default. */
  readonly log?: Logger;
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
  /** The id of the tenant with this slug, made if it isn't there. */
  ensureTenant(slug: string, name: string): Promise<string>;
  /** Takes no more requests, closes sockets with 1012, lets requests under way finish. May be called any number of times. */
  stop(): Promise<void>;
}

/**
 * Opens the API and listens.
 * @throws DomainError `ConfigInvalid` without the secret of signed URLs, or without any way to check tokens
 */
export async function openServer(options: OpenServerOptions): Promise<RunningServer> {
  const { config, databaseUrl } = options;
  const log = options.log ?? createLogger(config, 'server');
  const signingSecret = secretOf(config);
  const store = await openLocalStore(config.storageDir ?? join(config.dataDir, 'storage'));
  const ways = openWays(config, databaseUrl, log);
  const { database, reads, bell, listener, feed } = ways;
  // Read at each signing: with port 0 nobody knows the address before it listens.
  let url = config.publicUrl?.replace(/\/+$/, '') ?? '';
  const urls = createUrlSigner({
    get baseUrl() {
      return `${url}/files`;
    },
    secrets: [new TextEncoder().encode(signingSecret)],
  });
  const authenticator = new Authenticator(database, config);
  const identityWatch = new IdentityWatch(authenticator, log);
  const queue = new PostgresProducerQueue(database, bell, config.maxPayloadBytes);
  const jobs = {
    db: database,
    queue,
    validator: new PayloadValidator(config.maxPayloadBytes),
    store,
    urls,
    config,
  };
  const app = createApp({
    config,
    graphql: { jobs, reads, feed, identityWatch, log },
    authenticator,
    store,
    urls,
    log,
    ping: () => database.ping(),
    listenerMode: () => listener.mode,
    ...(options.times && { times: options.times }),
    ...(options.runTick && { runTick: options.runTick }),
  });
  const stop = once(async () => {
    // What has not finished by then (a stalled upload) will not: a stop must not wait for a client's good will.
    const deadline = setTimeout(() => app.server.closeAllConnections(), config.shutdownSeconds * 1000);
    await app.close();
    clearTimeout(deadline);
    identityWatch.stop();
    await closeWays(ways);
  });
  try {
    await syncDefinitions(database, builtInDefinitions(config));
    await listener.start();
    feed.start();
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await stop();
    throw error;
  }
  if (url === '') url = addressOf(config.host, app.server.address() as AddressInfo);
  log.info({ url, listener: listener.mode }, 'server: listening');
  return {
    url,
    graphqlUrl: `${url}${GRAPHQL_PATH}`,
    get subscriberCount() {
      return feed.memberCount;
    },
    ensureTenant: (slug, name) => ensureTenant(database, slug, name),
    stop,
  };
}

interface Ways {
  readonly database: Database;
  readonly reads: ReadDatabase;
  readonly bell: Bell;
  readonly listener: Listener;
  readonly feed: Feed;
}

/** Everything that holds connections to the database. */
function openWays(config: Config, databaseUrl: string, log: Logger): Ways {
  const onError = (error: Error): void =>
    log.debug({ reason: error.message }, 'database: an idle connection broke');
  const base = {
    connectionString: databaseUrl,
    rolePrefix: config.rolePrefix,
    maxConnections: config.maxConnections,
    onError,
  };
  const database = new Database({
    ...base,
    applicationName: 'millrace server',
    preparedStatements: config.preparedStatements,
  });
  const reads = new ReadDatabase({ ...base, applicationName: 'millrace reads' });
  const bell = createBell({ connectionString: databaseUrl, log });
  const listener = createListener({
    connectionString: config.listenUrl ?? databaseUrl,
    channels: [WATCH_CHANNEL],
    applicationName: 'millrace server listener',
    log,
  });
  return { database, reads, bell, listener, feed: createFeed({ database, listener, log }) };
}

async function closeWays({ database, reads, bell, listener, feed }: Ways): Promise<void> {
  await feed.stop();
  await listener.stop();
  await bell.close();
  await Promise.all([reads.close(), database.close()]);
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

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
