import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { systemCaller } from '../../src/access/admissions.ts';
import type { ReadTransaction } from '../../src/db/prisma.ts';
import { type SearchArgs, searchVideos } from '../../src/domains/search/use-cases/search-videos.ts';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { median, quantile } from '../measuring/statistics.ts';
import { openSearchArchive } from '../stage/search-archive.ts';
import { makeSearchMix } from '../stage/search-queries.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const GOAL_P50_MS = 15;
const GOAL_P95_MS = 60;
/**
 * One more video at 1,000,000 segments ÷ at 1,000: the same, but for the levels that the indexes have more.
 */
const GOAL_GROWTH = 1.25;
const FULL_SIZE = { videos: 10_000, added: 20, queries: 40 };
const QUICK_SIZE = { videos: 100, added: 3, queries: 3 };

interface Sample {
  readonly wallMs: number;
  /**
   * What the server's process was on a processor: steadier than the clock where others use the machine, too.
   */
  readonly cpuMs: number;
}

/**
 * Pages of 20 videos out of an archive, as the API's role, over kinds of queries; and what one more video
 * costs to index.
 */
export const search: Measure = {
  name: 'search',
  title: 'Search over 1,000,000 segments of 10,000 videos; indexing one more video at 1,000 and at 1,000,000',
  async run(context) {
    const { effort, say } = context;
    const size = effort.quick ? QUICK_SIZE : FULL_SIZE;
    await using stage = await openStage(context);
    await using smallStage = await openStage(context);
    const [archive, small] = [await openSearchArchive(stage), await openSearchArchive(smallStage)];
    await small.fill(10);
    const beganMs = performance.now();
    await archive.fill(size.videos);
    say(`${size.videos} videos in ${Math.round((performance.now() - beganMs) / 1000)} s`);
    const pairs = await interleavedPairs(size.added, archive.addOne, small.addOne, ({ a, b }) =>
      say(`one more video of 100 segments: ${rounded(a)} ms among 1,000,000, ${rounded(b)} ms among 1,000`),
    );

    const mix = await makeSearchMix(stage, size.queries);
    const all: Sample[] = [];
    const figures: Figure[] = [];
    for (const [kind, queries] of Object.entries(mix)) {
      const samples: Sample[] = [];
      for (const args of queries)
        samples.push(
          await timed(stage, (reads) => searchVideos(reads, systemCaller(), { ...args, first: 20 })),
        );
      all.push(...samples);
      const walls = samples.map(({ wallMs }) => wallMs);
      say(`${kind}: p50 ${rounded(median(walls))} ms, p95 ${rounded(quantile(walls, 0.95))} ms`);
    }
    const bare = await bareLookups(stage, mix['a rare word'] ?? []);
    const walls = all.map(({ wallMs }) => wallMs);
    const cpus = all.map(({ cpuMs }) => cpuMs);
    const p95 = (samples: readonly number[]): number => quantile(samples, 0.95);
    figures.push(
      figureOf({ name: 'search, p50', unit: 'ms', goal: GOAL_P50_MS }, walls),
      figureOf({ name: 'search, p95', unit: 'ms', goal: GOAL_P95_MS }, walls, p95),
      figureOf({ name: 'of that on the server’s processor, p50', unit: 'ms', goal: null }, cpus),
      figureOf({ name: 'of that on the server’s processor, p95', unit: 'ms', goal: null }, cpus, p95),
      figureOf({ name: 'bare lookup of a rare word in the index', unit: 'ms', goal: null }, bare),
      figureOf(
        { name: 'one more video, at few segments', unit: 'ms', goal: null },
        pairs.map(({ b }) => b),
      ),
      figureOf(
        { name: 'one more video, at many', unit: 'ms', goal: null },
        pairs.map(({ a }) => a),
      ),
      figureOf(
        { name: 'one more video, at many ÷ at few', unit: '×', goal: GOAL_GROWTH },
        pairs.map(({ a, b }) => a / b),
      ),
    );
    return figures;
  },
};

/** A search as the API makes it, in a transaction of its own whose beginning and end are not counted. */
async function timed(
  { client, tenantId }: Stage,
  work: (reads: ReadTransaction) => Promise<unknown>,
): Promise<Sample> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(
    `select set_config('role', 'millrace_api', true), set_config('millrace.tenant_id', $1, true)`,
    [tenantId],
  );
  const [cpuMs, beganMs] = [await cpuOf(client), performance.now()];
  await work(readsOn(client));
  const wallMs = performance.now() - beganMs;
  const sample = { wallMs, cpuMs: (await cpuOf(client)) - cpuMs };
  await client.query('commit');
  return sample;
}

function readsOn(client: pg.Client): ReadTransaction {
  return {
    prisma: () => Promise.reject(new Error('A search asks by its own statement')),
    query: async <Row>(
      { name, text }: { readonly name: string; readonly text: string },
      values: readonly unknown[],
    ) => (await client.query({ name, text, values: [...values] })).rows as Row[],
    close: () => Promise.resolve(),
  };
}

/** Milliseconds that the session's process has been on a processor; 0 where the system does not say. */
async function cpuOf(client: pg.Client): Promise<number> {
  const { processID } = client as unknown as { readonly processID: number };
  try {
    return Number(readFileSync(`/proc/${processID}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** The same words with nothing but the index: no vocabulary, no ranking, no grouping, no tenant. */
async function bareLookups({ client, tenantId }: Stage, queries: readonly SearchArgs[]): Promise<number[]> {
  const took: number[] = [];
  for (const { query } of queries) {
    const beganMs = performance.now();
    await client.query({
      name: 'bare_lookup',
      text: `select segment_id from millrace.search_materialized where tsv @@ ('''' || millrace.search_mark($1) || $2::text || '''')::tsquery`,
      values: [tenantId, query?.trim()],
    });
    took.push(performance.now() - beganMs);
  }
  return took;
}
