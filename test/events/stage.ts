import pg from 'pg';
import { LOG_CHANNEL, WATCH_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import { createListener, type Listener } from '../../src/db/listener.ts';
import { createNotifier, type Notifier } from '../../src/db/notifier.ts';
import { feedTablesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import type { FeedEvent } from '../../src/events/change.ts';
import { createFeed, type Feed, type FeedOptions } from '../../src/events/feed.ts';
import { openDatabase, silentLog } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

/** A feed on a migrated database, with a superuser's client that writes as a foreign program would. */
export interface Stage {
  readonly url: string;
  readonly database: Database;
  readonly listener: Listener;
  readonly notifier: Notifier;
  readonly feed: Feed;
  readonly superuser: pg.Client;
  readonly tenantId: string;
  readonly definitionId: string;
  makeTenant(): Promise<string>;
  /** Queued jobs of the stage's tenant; `columns` is SQL for further ones. */
  insertJobs(count: number, columns?: Record<string, string>): Promise<string[]>;
  /** Changes rows in one transaction; what changes does not matter. */
  touch(ids: readonly string[]): Promise<void>;
  versions(): Promise<Map<string, bigint>>;
  close(): Promise<void>;
}

let made = 0;

export async function openStage(url: string, options: Partial<FeedOptions> = {}): Promise<Stage> {
  const database = openDatabase(url);
  const listener = createListener({
    connectionString: url,
    channels: [WATCH_CHANNEL, LOG_CHANNEL],
    log: silentLog,
  });
  const notifier = createNotifier({ connectionString: url, log: silentLog });
  const feed = createFeed({
    tables: feedTablesOf(registeredDomains({ echo: true })),
    database,
    listener,
    log: silentLog,
    ...options,
  });
  const superuser = new pg.Client({ connectionString: url });
  superuser.on('error', () => undefined);
  await superuser.connect();
  await listener.start();
  feed.start();
  const makeTenant = async (): Promise<string> => {
    const { rows } = await superuser.query(
      "insert into millrace.tenants (slug, name) values ('stage-' || gen_random_uuid(), 'Stage') returning id",
    );
    return rows[0].id;
  };
  const tenantId = await makeTenant();
  const { rows } = await superuser.query(
    'insert into millrace.job_definitions (key) values ($1) returning id',
    [`stage-${process.pid}-${++made}`],
  );
  const definitionId: string = rows[0].id;
  return {
    url,
    database,
    listener,
    notifier,
    feed,
    superuser,
    tenantId,
    definitionId,
    makeTenant,
    insertJobs: async (count, columns = {}) => {
      const names = Object.keys(columns).map((name) => `, ${name}`);
      const values = Object.values(columns).map((value) => `, ${value}`);
      const inserted = await superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id${names.join('')})
         select $1, $2${values.join('')} from generate_series(1, $3::integer) as n returning id`,
        [tenantId, definitionId, count],
      );
      return inserted.rows.map((row) => row.id);
    },
    touch: async (ids) => {
      await superuser.query('update millrace.jobs set priority = priority + 1 where id = any ($1)', [ids]);
    },
    versions: async () => {
      const found = await superuser.query('select id, version from millrace.jobs where tenant_id = $1', [
        tenantId,
      ]);
      return new Map(found.rows.map((row) => [row.id, BigInt(row.version)]));
    },
    close: async () => {
      await feed.stop();
      await listener.stop();
      await notifier.close();
      await superuser.end();
      await database.close();
    },
  };
}

/** SQL that moves jobs to `running`, as a claim does. */
export const CLAIM = `update millrace.jobs set status = 'running', run_no = run_no + 1, lease_token = gen_random_uuid(),
  lease_expires_at = now() + interval '1 minute' where id = any ($1)`;
/** SQL that ends running jobs. */
export const SUCCEED = `update millrace.jobs set status = 'succeeded', finished_at = now(), lease_token = null,
  lease_expires_at = null where id = any ($1)`;

/** A consumer that takes everything as it comes. */
export class Watcher {
  readonly events: FeedEvent[] = [];
  /** Newest version seen of each job. */
  readonly versions = new Map<string, bigint>();
  readonly #stream: AsyncIterableIterator<FeedEvent, undefined>;
  readonly #done: Promise<void>;

  constructor(stream: AsyncIterableIterator<FeedEvent, undefined>, pauseMs = 0) {
    this.#stream = stream;
    this.#done = (async () => {
      for await (const event of stream) {
        this.events.push(event);
        if (event.kind === 'job') this.versions.set(event.change.jobId, event.change.version);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    })();
  }

  /** Kinds of what has come, in order. */
  get kinds(): string[] {
    return this.events.map((event) => event.kind);
  }

  /** The cursor of the last event that had one. */
  get cursor(): string {
    const cursor = this.events.findLast((event) => event.cursor !== null)?.cursor;
    if (typeof cursor !== 'string') throw new Error('no cursor yet');
    return cursor;
  }

  /** Jobs whose version went back at some point: there must be none. */
  get reversals(): string[] {
    const seen = new Map<string, bigint>();
    const back: string[] = [];
    for (const event of this.events) {
      if (event.kind === 'resync') seen.clear();
      if (event.kind !== 'job') continue;
      const { jobId, version } = event.change;
      if (version < (seen.get(jobId) ?? 0n)) back.push(jobId);
      seen.set(jobId, version);
    }
    return back;
  }

  async until(condition: (watcher: Watcher) => boolean, describe: string): Promise<void> {
    const shown = (): string => `${describe}; kinds so far: ${this.kinds.slice(-20).join(' ')}`;
    await waitFor(() => condition(this), { describe: shown });
  }

  ready(): Promise<void> {
    return this.until(({ kinds }) => kinds.includes('ready'), 'ready');
  }

  /** True once it has seen every one of these jobs at least at its version. */
  hasSeen(versions: ReadonlyMap<string, bigint>): boolean {
    const seen = this.versions;
    return [...versions].every(([id, version]) => (seen.get(id) ?? 0n) >= version);
  }

  async stop(): Promise<void> {
    await this.#stream.return?.();
    await this.#done;
  }
}
