import pg from 'pg';
import { Type } from 'typebox';
import { loadConfig } from '../src/config/config.ts';
import { defineJob } from '../src/core/definition.ts';
import { done } from '../src/core/outcome.ts';
import { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate/migrate.ts';
import { createNotifier, type Notifier } from '../src/db/notifier.ts';
import { registeredDomains } from '../src/domains/registered.ts';
import { pipelinesOf } from '../src/queue/pipelines.ts';
import { PostgresProducerQueue } from '../src/queue/producer-verbs.ts';
import { syncDefinitions } from '../src/queue/sync-definitions.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { openWorker } from '../workers/open-worker.ts';
import { register } from '../workers/registry.ts';
import { boundYoungGeneration } from '../workers/runtime/young-generation.ts';

// Millrace as a peer of the benchmark in `bench/peers`: what a user's program would call, with every duty on
// (leases and fencing, triggers, attempts, metering, feed, row security, lanes).

const trivial = defineJob({
  key: 'trivial',
  description: 'Does nothing.',
  payload: Type.Object({}, { additionalProperties: true }),
});

/** What the harness gives a peer: an empty database on a Unix socket. */
interface PeerContext {
  readonly pg: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
}

type Payload = Record<string, unknown>;
type PeerClass = new (ctx: PeerContext) => { readonly ctx: PeerContext };

const log = createLogger({ logLevel: 'error', logFormat: 'json' }, 'bench');
const rolePrefix = 'millrace';

function urlOf({ host, port, user, database }: PeerContext['pg']): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

export default (Peer: PeerClass) =>
  class extends Peer {
    static config =
      'defaults but for the number of jobs at a time; finished jobs, attempts and metering are kept';
    static pinned = true;
    #database!: Database;
    #notifier!: Notifier;
    #queue!: PostgresProducerQueue;
    #client!: pg.Client;
    #tenantId = '';
    #definitionId = '';

    async setup(): Promise<void> {
      const connectionString = urlOf(this.ctx.pg);
      await migrate({ connectionString, rolePrefix });
      this.#database = new Database({
        connectionString,
        rolePrefix,
        maxConnections: 16,
        applicationName: 'bench producer',
        preparedStatements: true,
        onError: () => undefined,
      });
      this.#notifier = createNotifier({ connectionString, log });
      this.#queue = new PostgresProducerQueue(this.#database, this.#notifier, {
        pipelines: pipelinesOf(registeredDomains({ echo: true })),
      });
      this.#definitionId = [...(await syncDefinitions(this.#database, [trivial])).keys()][0] ?? '';
      this.#client = new pg.Client({ connectionString });
      await this.#client.connect();
      this.#tenantId = await this.#tenant('bench');
    }

    async enqueueOne(payload: Payload): Promise<void> {
      await this.#queue.enqueue(this.#tenantId, [{ definitionKey: trivial.key, payload }]);
    }

    async enqueueBulk(payloads: readonly Payload[]): Promise<void> {
      await this.#enqueue(this.#tenantId, payloads);
    }

    async enqueueTenants(
      counts: Readonly<Record<string, number>>,
      payload: (tenant: string, index: number) => Payload,
    ): Promise<void> {
      for (const [name, count] of Object.entries(counts)) {
        const tenantId = await this.#tenant(`bench-${name}`);
        for (let from = 0; from < count; from += 1000) {
          const size = Math.min(1000, count - from);
          await this.#enqueue(
            tenantId,
            Array.from({ length: size }, (_, index) => payload(name, from + index)),
          );
        }
      }
    }

    // As the indexes have it. Without `pending_dependencies` each look read the whole table (30 to 75 ms
    // after 80,000 jobs), and that was counted as work of the drain.
    async pending(): Promise<boolean> {
      const { rows } = await this.#client.query<{ pending: boolean }>(
        `select exists (select from millrace.jobs where status = 'running')
             or exists (select from millrace.jobs where status = 'queued' and pending_dependencies = 0
                           and scheduled_for <= now()) as pending`,
      );
      return rows[0]?.pending === true;
    }

    async fillFuture(count: number): Promise<void> {
      await this.#client.query(
        `insert into millrace.jobs (tenant_id, definition_id, payload, scheduled_for)
         select $1, $2, '{"i":0}', now() + interval '1 day' + g * interval '1 ms' from generate_series(1, $3::integer) g`,
        [this.#tenantId, this.#definitionId, count],
      );
    }

    async fillCompleted(count: number): Promise<void> {
      await this.#client.query(
        `insert into millrace.jobs (tenant_id, definition_id, payload, status, run_no, claimed_at, started_at, finished_at,
                                    claimed_by_worker, version, wall_ms)
         select $1, $2, '{"i":0}', 'succeeded', 1, now(), now(), now(), 'bench', 3, 0 from generate_series(1, $3::integer)`,
        [this.#tenantId, this.#definitionId, count],
      );
    }

    async teardown(): Promise<void> {
      await this.#client.end();
      await this.#notifier.close();
      await this.#database.close();
    }

    async runWorker({ concurrency, onJob }: { concurrency: number; onJob: (payload: unknown) => unknown }) {
      // As `workers/main.ts` does.
      boundYoungGeneration();
      const config = loadConfig({ MILLRACE_LOG_LEVEL: 'error' });
      const worker = await openWorker({
        config,
        databaseUrl: urlOf(this.ctx.pg),
        registrations: [
          // It counts and returns: nothing to wait for, and graphile-worker's adapter does not either.
          register(trivial, async () => async ({ payload }) => {
            onJob(payload);
            return done();
          }),
        ],
        concurrency,
      });
      return { stop: () => worker.stop() };
    }

    async #enqueue(tenantId: string, payloads: readonly Payload[]): Promise<void> {
      await this.#queue.enqueue(
        tenantId,
        payloads.map((payload) => ({ definitionKey: trivial.key, payload })),
      );
    }

    async #tenant(slug: string): Promise<string> {
      const { rows } = await this.#client.query<{ id: string }>(
        `insert into millrace.tenants (slug, name) values ($1, $1)
         on conflict (slug) do update set slug = excluded.slug returning id`,
        [slug],
      );
      return rows[0]?.id ?? '';
    }
  };
