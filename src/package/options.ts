import type { Registration } from '../../workers/handler.ts';

/** What `createClient` and `createWorker` both take. */
export interface ConnectionOptions {
  /** Postgres 18 or newer. */
  readonly databaseUrl: string;
  /** Direct connection for LISTEN, where `databaseUrl` goes through a pooler. */
  readonly listenUrl?: string;
  /** Database connections it may open for transactions; 10 by default. */
  readonly maxConnections?: number;
  /** Prefix of the database roles, where the installation has another than `millrace`. */
  readonly rolePrefix?: string;
  /** `transaction` where `databaseUrl` goes through a pooler in transaction mode; `none` by default. */
  readonly pooler?: 'none' | 'transaction';
  /** False behind a pooler in transaction mode that knows no prepared statements. */
  readonly preparedStatements?: boolean;
  /** Least level that is logged, on stderr; `warn` for clients, `info` for workers. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** `json`, `pretty`, or `auto`: pretty on a terminal. */
  readonly logFormat?: 'auto' | 'json' | 'pretty';
  /** How long to wait for the database and its schema before giving up: 0 to 3,600; 30 by default. */
  readonly schemaWaitSeconds?: number;
}

export interface ClientOptions extends ConnectionOptions {
  /** Slug or id of the tenant whose jobs they are. */
  readonly tenant: string;
  /**
   * Makes the tenant when there is none with that slug. False by default: a typing error should not make one.
   */
  readonly createTenant?: boolean;
  /** Who enqueues, for the job's `createdBy`; e.g. `service:billing`. */
  readonly createdBy?: string;
}

export interface WorkerOptions extends ConnectionOptions {
  /** What it runs: `job(definition, handler)` each. */
  readonly jobs: readonly Registration[];
  /** Jobs at a time: 1 to 1,000; 10 by default. */
  readonly concurrency?: number;
  /** How long a stop lets running jobs go on before it hands them back: 0 to 3,600; 15 by default. */
  readonly shutdownSeconds?: number;
  /**
   * Brings the schema up to date at the start. False by default: the server, or `millrace migrate`, does so.
   */
  readonly migrate?: boolean;
  /** Login for migrations, where it differs. */
  readonly migrateUrl?: string;
  /** Where the object store and copies of tools are kept; `.millrace` by default. */
  readonly dataDir?: string;
  /** Folder of the object store; `<dataDir>/storage` by default. */
  readonly storageDir?: string;
  /**
   * Ends the whole process when a handler keeps its event loop busy beyond its deadline, so that a supervisor
   * starts it afresh. False by default: the program may have other things to do.
   */
  readonly exitWhenBlocked?: boolean;
}
