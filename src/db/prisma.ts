import { PrismaPg } from '@prisma/adapter-pg';
import { isUuid } from '../core/ids.ts';
import {
  type ApiKey as ApiKeyModel,
  type Job as JobModel,
  type Prisma,
  PrismaClient,
} from '../generated/prisma/client.ts';
import { ReadPool } from './read-pool.ts';
import { type RoleKind, type RoleNames, roleNames } from './roles.ts';
import type { ServerGeneration } from './server-generation.ts';
import { transactionColumns } from './session.ts';
import { settingColumns } from './session-settings.ts';
import type { Statement } from './statement.ts';

export type {
  AppEvent as EventRow,
  AuditEntry as AuditRow,
  BulkAction as BulkActionRow,
  Call as CallRow,
  CallTranscript as CallTranscriptRow,
  CallTurn as CallTurnRow,
  Clip as ClipRow,
  Entity as EntityRow,
  JobAttempt as JobAttemptRow,
  JobDefinition as DefinitionRow,
  JobProgress as JobProgressRow,
  LaneLimit as LaneLimitRow,
  Link as LinkRow,
  Prisma,
  Segment as SegmentRow,
  Tenant as TenantRow,
  TenantMember as MemberRow,
  Trigger as TriggerRow,
  TriggerRun as TriggerRunRow,
  Video as VideoRow,
  WebhookDelivery as WebhookDeliveryRow,
  WebhookEndpoint as WebhookEndpointRow,
  WebhookSource as WebhookSourceRow,
} from '../generated/prisma/client.ts';

/**
 * A job as readers get it. What it was given and what came of it may be large, and are read where they are
 * asked for: `jsonOfJobs`.
 */
export type JobRow = Omit<JobModel, 'isDelayed' | 'leaseToken' | 'payload' | 'result'>;
/** An API key as readers get it. */
export type ApiKeyRow = Omit<ApiKeyModel, 'keyHash'>;

export interface ReadDatabaseOptions {
  readonly connectionString: string;
  readonly rolePrefix: string;
  readonly maxConnections: number;
  readonly applicationName: string;
  readonly onError: (error: Error) => void;
  /** What stands before the database, as for `Database`; `none` by default. */
  readonly pooler?: 'none' | 'transaction';
  /** Shared by all that has connections in a process. */
  readonly server?: ServerGeneration | undefined;
}

/** As whom to read: the API role sees one tenant, the admin role all of them. */
export interface ReadScope {
  readonly role: Exclude<RoleKind, 'worker'>;
  readonly tenantId: string;
}

/** One snapshot of the database; every read of an operation goes through it. */
export interface ReadTransaction {
  /**
   * Prisma's client inside the transaction. The first call begins it: an operation that reads nothing costs
   * nothing.
   */
  prisma(): Promise<Prisma.TransactionClient>;
  /** A statement of `db/sql` inside the same transaction, for what Prisma cannot say in one statement. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Ends the transaction. Never throws: what was read is read. Later calls do nothing. */
  close(): Promise<void>;
}

/** No read may hold its snapshot longer: it would keep vacuum from every row that dies meanwhile. */
const TRANSACTION_TIMEOUT_MS = 10_000;
/** What one statement of a read may take: its end is an error of its own, and the connection is kept. */
const STATEMENT_TIMEOUT_MS = 8_000;
/** Every list has an index to rely on, whatever the statistics say of its table. */
const READ_SETTINGS = { enable_seqscan: 'off' };

/**
 * Reads through Prisma, each transaction READ ONLY, REPEATABLE READ, with role and tenant from its first
 * round trip.
 */
export class ReadDatabase {
  readonly #roles: RoleNames;
  readonly #pool: ReadPool;
  readonly #prisma: PrismaClient;
  readonly #onError: (error: Error) => void;
  readonly #isPooled: boolean;

  constructor(options: ReadDatabaseOptions) {
    this.#roles = roleNames(options.rolePrefix);
    this.#onError = options.onError;
    this.#isPooled = options.pooler === 'transaction';
    this.#pool = new ReadPool({
      pool: {
        connectionString: options.connectionString,
        max: options.maxConnections,
        application_name: options.applicationName,
        connectionTimeoutMillis: 5_000,
        idleTimeoutMillis: 10_000,
      },
      settings: READ_SETTINGS,
      isPooled: this.#isPooled,
      server: options.server,
    });
    this.#pool.on('error', options.onError);
    const adapter = new PrismaPg(this.#pool, { onConnectionError: options.onError });
    // The lease token is the secret of the worker that holds it, and a key's hash is nobody's business: no
    // reader ever sees them.
    this.#prisma = new PrismaClient({
      adapter,
      omit: { job: { leaseToken: true, payload: true, result: true }, apiKey: { keyHash: true } },
    });
  }

  /** Makes a transaction that begins at its first read. */
  read(scope: ReadScope): ReadTransaction {
    return new LazyTransaction((work) => this.#run(scope, work), this.#onError);
  }

  async close(): Promise<void> {
    await this.#prisma.$disconnect();
    await this.#pool.end();
  }

  #run(scope: ReadScope, work: (tx: Prisma.TransactionClient) => Promise<void>): Promise<void> {
    return this.#pool.withOpening(this.#opening(scope), () =>
      this.#prisma.$transaction(work, { maxWait: 5_000, timeout: TRANSACTION_TIMEOUT_MS }),
    );
  }

  #opening(scope: ReadScope): string {
    if (!isUuid(scope.tenantId)) throw new TypeError(`Not a tenant id: ${scope.tenantId}`);
    const settings = {
      role: this.#roles[scope.role],
      'millrace.tenant_id': scope.tenantId,
      transaction_timeout: `${TRANSACTION_TIMEOUT_MS}ms`,
      statement_timeout: `${STATEMENT_TIMEOUT_MS}ms`,
    };
    const columns = this.#isPooled
      ? transactionColumns({ ...READ_SETTINGS, ...settings })
      : settingColumns(settings, true);
    return `begin isolation level repeatable read read only; select ${columns}`;
  }
}

type Runner = (work: (tx: Prisma.TransactionClient) => Promise<void>) => Promise<void>;

class LazyTransaction implements ReadTransaction {
  readonly #run: Runner;
  readonly #onError: (error: Error) => void;
  readonly #closing = Promise.withResolvers<void>();
  #begun: Promise<Prisma.TransactionClient> | undefined;
  #ended: Promise<void> | undefined;
  #closed = false;

  constructor(run: Runner, onError: (error: Error) => void) {
    this.#run = run;
    this.#onError = onError;
  }

  prisma(): Promise<Prisma.TransactionClient> {
    if (this.#closed) return Promise.reject(new Error('This read transaction is closed'));
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const prisma = await this.prisma();
    return await prisma.$queryRawUnsafe<Row[]>(statement.text, ...values);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.resolve();
    await this.#ended;
  }

  #begin(): Promise<Prisma.TransactionClient> {
    const begun = Promise.withResolvers<Prisma.TransactionClient>();
    this.#ended = this.#run(async (tx) => {
      begun.resolve(tx);
      await this.#closing.promise;
    }).catch((error: Error) => {
      // Before it began this is the reader's error; after that there is nobody left to notify but the log.
      begun.reject(error);
      if (this.#closed) this.#onError(error);
    });
    return begun.promise;
  }
}
