import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Statement } from '../../../../src/db/statement.ts';
import { countIndex } from '../../../../src/domains/search/sql/count-index.ts';
import { deleteChangedEntities } from '../../../../src/domains/search/sql/delete-changed-entities.ts';
import { deleteOtherTexts } from '../../../../src/domains/search/sql/delete-other-texts.ts';
import { findChangedSegments } from '../../../../src/domains/search/sql/find-changed-segments.ts';
import { findRanges } from '../../../../src/domains/search/sql/find-ranges.ts';
import { joinRanges } from '../../../../src/domains/search/sql/join-ranges.ts';
import { mergeSegments } from '../../../../src/domains/search/sql/merge-segments.ts';
import { segmentIndex } from '../../../../src/domains/videos/definitions/segment-index.ts';
import { openTestQueue, type TestQueue } from '../../../support/queue.ts';
import { MANIFEST, makeReadVideo, type RawText, type ReadVideo } from './bench.ts';

let q: TestQueue;
let tenantId: string;
let video: ReadVideo;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const texts = (count: number): RawText[] =>
  Array.from({ length: count }, (_, n) => ({
    text: `@user${n} says ${'so '.repeat(60)}`,
    fromMs: n * 1000,
    toMs: n * 1000 + 1000,
  }));

beforeAll(async () => {
  q = await openTestQueue([segmentIndex]);
  tenantId = await q.makeTenant();
  video = await makeReadVideo(q, tenantId, texts(30));
  await video.run();
});
afterAll(() => q.close());

/** Pages that a statement looks at, as the API's role plans it for any video; what it changes is undone. */
async function pagesOf(
  { text }: Statement,
  values: readonly (string | number | readonly string[])[],
): Promise<number> {
  const literal = (value: (typeof values)[number]): string =>
    typeof value === 'object' ? `'{${value.join(',')}}'` : `'${value}'`;
  const name = 'looked_at';
  try {
    return await q.db.transaction({ role: 'api', tenantId }, async ({ client }) => {
      await client.query(`prepare ${name} as ${text}`);
      const { rows } = await client.query(
        `explain (analyze, buffers, timing off, format json) execute ${name} (${values.map(literal).join(', ')})`,
      );
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      await client.query(`deallocate ${name}`);
      throw new Pages(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    });
  } catch (error) {
    if (error instanceof Pages) return error.count;
    throw error;
  }
}

/** Leaves a transaction with a figure and without its changes. */
class Pages extends Error {
  readonly count: number;
  constructor(count: number) {
    super('rolled back');
    this.count = count;
  }
}

async function pagesOfAll(ids: readonly string[]): Promise<Record<string, number>> {
  const of = [tenantId, video.videoId] as const;
  const [kept = '', ...others] = ids;
  const statements: readonly (readonly [Statement, readonly (string | number | readonly string[])[]])[] = [
    [deleteOtherTexts, [...of, MANIFEST]],
    [mergeSegments, [...of, 1500]],
    [findRanges, [...of, -1, FIRST_ID, 6, 5000]],
    [joinRanges, [...of, others.map(() => kept), others, []]],
    [deleteChangedEntities, of],
    [findChangedSegments, [...of, -1, FIRST_ID, 1000]],
    [countIndex, of],
  ];
  const pages: Record<string, number> = {};
  for (const [statement, values] of statements) pages[statement.name] = await pagesOf(statement, values);
  return pages;
}

test('what an index of a video costs follows the video, not what else there is', async () => {
  const { segments } = await video.rows();
  const ids = (segments as { id: string }[]).map(({ id }) => id);
  await q.superuser.query('analyze millrace.segments, millrace.entities, millrace.ocr_frames');
  const alone = await pagesOfAll(ids);
  const other = await makeReadVideo(q, tenantId, texts(4_000));
  await other.run();
  await q.superuser.query('analyze millrace.segments, millrace.entities, millrace.ocr_frames');
  const among = await pagesOfAll(ids);
  const { rows } = await q.superuser.query(`select pg_relation_size('millrace.segments') / 8192 as pages`);
  expect(Number(rows[0].pages)).toBeGreaterThan(400);
  // A tree that is one level higher, and marks of what was changed before: not the whole table.
  for (const [name, pages] of Object.entries(among))
    expect(pages, name).toBeLessThan(2 * (alone[name] ?? 0) + 100);
});
