import { readFileSync } from 'node:fs';
import pg from 'pg';
import { installPgmq } from '../../src/db/migrate/pgmq.ts';
import { type Figure, figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { openStage } from '../stage/stage.ts';

/** pgmq's throughput ÷ ours: at most twice. */
const GOAL = 2;
const SENDERS = 16;
const READERS = 4;
const BATCH = 100;
const MESSAGE = { url: 'https://example.com/', n: 1 };

/**
 * `pgmq.send` by 16 callers and `pgmq.read` with `pgmq.delete` by four: Millrace's schema beside pgmq's own,
 * which is installed from the file that PGMQ_SQL names. Without it ours is measured alone.
 */
export const pgmq: Measure = {
  name: 'pgmq',
  title: 'pgmq.send, and pgmq.read with pgmq.delete: messages a second, beside pgmq itself (PGMQ_SQL)',
  async run(context) {
    const { effort, say } = context;
    const count = effort.quick ? 400 : 5_000;
    await using ours = await openStage(context);
    await installPgmq({ connectionString: ours.databaseUrl, tenant: 'bench' });
    await using own = await openQueue(ours.databaseUrl);
    const file = process.env['PGMQ_SQL'];
    if (file === undefined) {
      say('PGMQ_SQL names no pgmq.sql: Millrace is measured alone');
      const [sent, read] = [await own.send(count), await own.drain(count)];
      return [
        figureOf({ name: 'pgmq.send', unit: '', goal: null }, [sent]),
        figureOf({ name: 'pgmq.read and delete', unit: '', goal: null }, [read]),
      ];
    }
    await using theirs = await openStage(context);
    await theirs.client.query('create database pgmq_itself');
    const url = new URL(theirs.databaseUrl);
    url.pathname = '/pgmq_itself';
    const setup = new pg.Client({ connectionString: url.href });
    await setup.connect();
    await setup.query('create schema if not exists pgmq');
    await setup.query(readFileSync(file, 'utf8'));
    await setup.end();
    await using reference = await openQueue(url.href);
    const pairs = await interleavedPairs(
      effort.pairs,
      () => measured(reference, count),
      () => measured(own, count),
      ({ a, b }) =>
        say(
          `send: pgmq ${Math.round(a.sent)}/s, Millrace ${Math.round(b.sent)}/s; read and delete: ${Math.round(a.drained)}/s, ${Math.round(b.drained)}/s`,
        ),
    );
    return (['sent', 'drained'] as const).flatMap((kind): Figure[] => {
      const name = kind === 'sent' ? 'pgmq.send' : 'pgmq.read and delete';
      return [
        figureOf(
          { name: `${name}, messages a second`, unit: '', goal: null },
          pairs.map(({ b }) => b[kind]),
        ),
        figureOf(
          { name: `${name}, pgmq itself ÷ Millrace`, unit: '×', goal: GOAL },
          pairs.map(({ a, b }) => a[kind] / b[kind]),
        ),
      ];
    });
  },
};

interface Queue extends AsyncDisposable {
  /** @returns messages a second */
  send(count: number): Promise<number>;
  /** Reads and deletes that many, which are there. @returns messages a second */
  drain(count: number): Promise<number>;
}

/** A drain needs messages, and a send leaves them: each side begins and ends with none. */
async function measured(
  queue: Queue,
  count: number,
): Promise<{ readonly sent: number; readonly drained: number }> {
  return { sent: await queue.send(count), drained: await queue.drain(count) };
}

async function openQueue(connectionString: string): Promise<Queue> {
  const pool = new pg.Pool({ connectionString, max: SENDERS });
  // A server that stops ends connections that the pool has closed already.
  pool.on('error', () => undefined);
  await pool.query(`select pgmq.create('bench')`);
  return {
    send: (count) =>
      timed(count, SENDERS, async (take) => {
        while (take(1) > 0)
          await pool.query({
            name: 'send',
            text: `select pgmq.send('bench', $1::jsonb)`,
            values: [MESSAGE],
          });
      }),
    drain: (count) =>
      timed(count, READERS, async () => {
        for (;;) {
          const { rows } = await pool.query<{ msg_id: string }>({
            name: 'read',
            text: `select msg_id from pgmq.read('bench', 60, $1)`,
            values: [BATCH],
          });
          if (rows.length === 0) return;
          await pool.query({
            name: 'delete',
            text: `select count(*) from pgmq.delete('bench'::text, $1::bigint[])`,
            values: [rows.map(({ msg_id }) => msg_id)],
          });
        }
      }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

async function timed(
  count: number,
  callers: number,
  work: (take: (wanted: number) => number) => Promise<void>,
): Promise<number> {
  let left = count;
  const take = (wanted: number): number => {
    const taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  };
  const beganMs = performance.now();
  await Promise.all(Array.from({ length: callers }, () => work(take)));
  return (1_000 * count) / (performance.now() - beganMs);
}
