import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemCaller } from '../../src/access/admissions.ts';
import type { Caller } from '../../src/access/caller.ts';
import type { ReadTransaction } from '../../src/db/prisma.ts';
import { offlineEmbedder } from '../../src/domains/links/embedding/offline-embedder.ts';
import { QueryVectors } from '../../src/domains/links/embedding/query-vectors.ts';
import { searchLinks } from '../../src/domains/links/use-cases/search-links.ts';
import { openVectorIndex } from '../../src/domains/links/vectors/code-index.ts';
import { signCode } from '../../src/domains/links/vectors/sign-code.ts';
import { cosine, toBytes } from '../../src/domains/links/vectors/vector-bytes.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { median, quantile } from '../measuring/statistics.ts';
import { findTexts } from '../stage/link-texts.ts';
import { vectorsOf } from '../stage/link-vectors.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const GOAL_P95_MS = 60;
/** Of the ten links that are truly nearest, this many percent may be missed. */
const GOAL_MISSED_PERCENT = 3;
const NEAREST = 10;
const FULL_SIZE = { links: 100_000, queries: 100 };
const QUICK_SIZE = { links: 2_000, queries: 10 };
const BATCH = 1_000;

/**
 * Links of real texts, searched by words of other texts, as the API's role. Of their vectors 12,000 are the
 * texts' own: see `vectorsOf`.
 */
export const linksSearch: Measure = {
  name: 'links-search',
  title: 'Search over 100,000 links by meaning and words, and what of the nearest it finds',
  async run(context) {
    const { effort, say } = context;
    const size = effort.quick ? QUICK_SIZE : FULL_SIZE;
    const texts = findTexts(size.links + size.queries);
    say(`${texts.length} texts`);
    const vectors = await vectorsOf(texts, say);
    await using stage = await openStage(context);
    const linkIds = await fill(stage, texts.slice(size.queries), vectors.slice(size.queries));
    // A few words of each, as people ask.
    const queries = texts.slice(0, size.queries).map((text, index) =>
      text
        .split(' ')
        .slice(0, 3 + (index % 6))
        .join(' '),
    );
    const cold = new QueryVectors(offlineEmbedder);
    await cold.of('warm up');
    const loop = monitorEventLoopDelay({ resolution: 1 });
    const [byMeaning, whole, missed]: number[][] = [[], [], []] as never;
    for (const query of queries) {
      const vector = await cold.of(query);
      const nearMs = performance.now();
      const near = await asApi(stage, async (reads) =>
        (await openVectorIndex(reads)).nearest({
          tenantId: stage.tenantId,
          model: offlineEmbedder.model,
          vector,
          limit: NEAREST,
          conditions: {},
        }),
      );
      byMeaning?.push(performance.now() - nearMs);
      const exact = nearestOf(vector, vectors.slice(size.queries)).map((index) => linkIds[index]);
      missed?.push(100 * (1 - near.filter(({ linkId }) => exact.includes(linkId)).length / NEAREST));
    }
    loop.enable();
    // Embedding the query is part of it: nothing of it is known before.
    const vectorsOfQueries = new QueryVectors(offlineEmbedder);
    for (const query of queries) {
      const beganMs = performance.now();
      await asApi(stage, (reads) =>
        searchLinks({ reads, vectors: vectorsOfQueries }, callerOf(stage), { query, first: 20 }),
      );
      whole?.push(performance.now() - beganMs);
    }
    loop.disable();
    const p95 = (samples: readonly number[]): number => quantile(samples, 0.95);
    const mean = (samples: readonly number[]): number => samples.reduce((a, b) => a + b, 0) / samples.length;
    return [
      figureOf(
        { name: 'hybrid search with its embedding, p50', unit: 'ms', goal: null },
        whole ?? [],
        median,
      ),
      figureOf(
        { name: 'hybrid search with its embedding, p95', unit: 'ms', goal: GOAL_P95_MS },
        whole ?? [],
        p95,
      ),
      figureOf({ name: 'nearest 10 by meaning, p50', unit: 'ms', goal: null }, byMeaning ?? [], median),
      figureOf({ name: 'nearest 10 by meaning, p95', unit: 'ms', goal: GOAL_P95_MS }, byMeaning ?? [], p95),
      figureOf(
        { name: 'of the truly nearest 10, missed', unit: '%', goal: GOAL_MISSED_PERCENT },
        missed ?? [],
        mean,
      ),
      figureOf({ name: 'longest stop of the event loop', unit: 'ms', goal: null }, [loop.max / 1e6]),
    ];
  },
};

async function fill(
  { client, tenantId }: Stage,
  texts: readonly string[],
  vectors: readonly Float32Array[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  await client.query('set session_replication_role = replica');
  for (let at = 0; at < texts.length; at += BATCH) {
    const some = texts.slice(at, at + BATCH);
    const { rows } = await client.query<{ id: string }>(
      `with given as (
         select uuidv7() as id, text, code::bit(1024), vector from unnest($2::text[], $3::text[], $4::bytea[]) with ordinality g (text, code, vector, place)
         order by place
       ), made as (
         insert into millrace.links (id, tenant_id, url, status, title, text_kind, embedded_by)
         select id, $1, 'https://example.com/' || id, 'done', left(text, 60), 'article', $5 from given
       ), texts as (
         insert into millrace.link_texts (link_id, tenant_id, text, words)
         select id, $1, text, to_tsvector('english', text) || array_to_tsvector(array['tenant:' || ($1::uuid)::text]) from given
       ), kept as (
         insert into millrace.link_vectors (tenant_id, link_id, model, dimensions, code, vector)
         select $1, id, $5, octet_length(vector) / 4, code, vector from given
       )
       select id from given order by id`,
      [
        tenantId,
        some,
        some.map((_text, index) => signCode(vectors[at + index] as Float32Array)),
        some.map((_text, index) => toBytes(vectors[at + index] as Float32Array)),
        offlineEmbedder.model,
      ],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze millrace.links, millrace.link_texts, millrace.link_vectors');
  return ids;
}

/** Places of the nearest, each measured. */
function nearestOf(vector: Float32Array, vectors: readonly Float32Array[]): readonly number[] {
  return vectors
    .map((each, index) => ({ index, similarity: cosine(vector, each) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, NEAREST)
    .map(({ index }) => index);
}

function callerOf({ tenantId }: Stage): Caller {
  return { ...systemCaller(), tenantId };
}

/** In a transaction as the API's reads have it. */
async function asApi<T>(
  { client, tenantId }: Stage,
  work: (reads: ReadTransaction) => Promise<T>,
): Promise<T> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(
    `select set_config('role', 'millrace_api', true), set_config('millrace.tenant_id', $1, true), set_config('enable_seqscan', 'off', true)`,
    [tenantId],
  );
  const result = await work({
    prisma: () => Promise.reject(new Error('A search asks by its own statements')),
    query: async <Row>(
      { name, text }: { readonly name: string; readonly text: string },
      values: readonly unknown[],
    ) => (await client.query({ name, text, values: [...values] })).rows as Row[],
    close: () => Promise.resolve(),
  });
  await client.query('commit');
  return result;
}
