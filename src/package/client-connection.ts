import { libraryConfig } from '../config/library-config.ts';
import { listenUrlOf } from '../config/listen-url.ts';
import { DomainError } from '../core/errors.ts';
import { WATCH_CHANNEL } from '../db/channels.ts';
import { workerShares } from '../db/connection-shares.ts';
import { Database } from '../db/database.ts';
import { createListener, type Listener } from '../db/listener.ts';
import { createNotifier, type Notifier } from '../db/notifier.ts';
import { findTenant, type TenantRow } from '../db/sql/identity/find-tenant.ts';
import { registeredDomains } from '../domains/registered.ts';
import { ensureTenant } from '../identity/ensure-tenant.ts';
import { JobWaiter } from '../queue/job-waiter.ts';
import { pipelinesOf } from '../queue/pipelines.ts';
import { PostgresProducerQueue } from '../queue/producer-verbs.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import type { ClientOptions } from './options.ts';
import { requireSchema } from './schema-wait.ts';

/** What a client works with once it is connected. */
export interface Connected {
  readonly database: Database;
  readonly notifier: Notifier;
  readonly queue: PostgresProducerQueue;
  readonly tenantId: string;
  readonly log: Logger;
}

/** A client's way to the database, opened at the first call; a failed opening is tried again at the next. */
export class ClientConnection {
  readonly #options: ClientOptions;
  #opening: Promise<Connected> | undefined;
  #waiting: { readonly waiter: JobWaiter; readonly listener: Listener } | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * @throws DomainError `NotFound` without the tenant · `DatabaseUnsupported` without the schema ·
   *   `WrongState` after `close`
   */
  open(): Promise<Connected> {
    if (this.#closing !== undefined)
      return Promise.reject(new DomainError('WrongState', 'This client has been closed.'));
    if (this.#opening === undefined) {
      const opening = this.#open();
      this.#opening = opening;
      opening.catch(() => {
        this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  /** Waits for jobs to end; it costs a connection of its own, from the first time on. */
  waiter({ database, log }: Connected): JobWaiter {
    if (this.#waiting === undefined) {
      const { databaseUrl, listenUrl = null, pooler = 'none' } = this.#options;
      const listener = createListener({
        connectionString: listenUrlOf({ listenUrl, pooler }, databaseUrl),
        channels: [WATCH_CHANNEL],
        applicationName: 'millrace client listener',
        log,
      });
      this.#waiting = { listener, waiter: new JobWaiter({ database, listener }) };
      // Not waited for: until it listens, the waiter polls.
      void listener.start();
    }
    return this.#waiting.waiter;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const connected = await this.#opening?.catch(() => undefined);
    this.#waiting?.waiter.close();
    await this.#waiting?.listener.stop();
    await connected?.notifier.close();
    await connected?.database.close();
  }

  async #open(): Promise<Connected> {
    const { databaseUrl, schemaWaitSeconds = 30, logLevel = 'warn', logFormat = 'auto' } = this.#options;
    const log = createLogger({ logLevel, logFormat }, 'client');
    await requireSchema(databaseUrl, schemaWaitSeconds, log);
    const defaults = libraryConfig({});
    const preparedStatements = this.#options.preparedStatements ?? defaults.preparedStatements;
    const shares = workerShares(this.#options.maxConnections ?? defaults.maxConnections);
    const database = new Database({
      connectionString: databaseUrl,
      rolePrefix: this.#options.rolePrefix ?? defaults.rolePrefix,
      maxConnections: shares.transactions,
      maxStatementConnections: shares.statements,
      pooler: this.#options.pooler ?? defaults.pooler,
      preparedStatements,
      applicationName: 'millrace client',
      onError: (error) => log.debug({ reason: error.message }, 'database: an idle connection broke'),
    });
    try {
      const tenantId = await this.#tenantId(database);
      const notifier = createNotifier({
        connectionString: databaseUrl,
        log,
        applicationName: 'millrace client notifier',
        preparedStatements,
        pooler: this.#options.pooler ?? defaults.pooler,
      });
      // A cancel or a retry through here does to a video what it does through the API.
      const pipelines = pipelinesOf(registeredDomains({ echo: false }));
      const queue = new PostgresProducerQueue(database, notifier, { pipelines });
      return { database, notifier, queue, tenantId, log };
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async #tenantId(database: Database): Promise<string> {
    const { tenant, createTenant = false } = this.#options;
    const { rows } = await database.asWorker<TenantRow>(findTenant, [tenant]);
    if (rows[0] !== undefined) return rows[0].id;
    if (createTenant) return ensureTenant(database, tenant, tenant);
    throw new DomainError(
      'NotFound',
      `createClient: there is no tenant ${JSON.stringify(tenant)}. \`npx millrace tenant create --slug ${tenant}\` makes one, ` +
        'and so does the option createTenant.',
      { field: 'tenant' },
    );
  }
}
