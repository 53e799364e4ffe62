import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Job } from '../../../../src/core/job.ts';
import { done } from '../../../../src/core/outcome.ts';
import { segmentIndex } from '../../../../src/domains/videos/definitions/segment-index.ts';
import { openTestQueue, type TestQueue } from '../../../support/queue.ts';
import { addTexts, MANIFEST, makeReadVideo, type RawText } from './bench.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue([segmentIndex]);
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

async function rangesOf(...texts: RawText[]): Promise<string[]> {
  const video = await makeReadVideo(q, tenantId, texts);
  await video.run();
  return video.ranges();
}

const shown = (text: string, fromMs: number, toMs: number, more: Partial<RawText> = {}): RawText => ({
  text,
  fromMs,
  toMs,
  ...more,
});

describe('texts become ranges of time', () => {
  test('spans that adjoin, overlap or miss one sampled picture are one', async () => {
    expect(
      await rangesOf(
        shown('adjoining', 0, 1000),
        shown('adjoining', 1000, 2500),
        shown('overlapping', 0, 3000),
        shown('overlapping', 500, 1000),
        shown('overlapping', 2900, 4000),
        shown('missed once', 0, 1000),
        shown('missed once', 1150, 2000),
      ),
    ).toEqual(['adjoining 0-2500', 'missed once 0-2000', 'overlapping 0-4000']);
  });

  test('a text that goes and comes back is two', async () => {
    expect(await rangesOf(shown('back', 0, 1000), shown('back', 1151, 2000))).toEqual([
      'back 0-1000',
      'back 1151-2000',
    ]);
  });

  test('the same words in other case are one text, in two places at once too, with the best reading of it', async () => {
    const video = await makeReadVideo(q, tenantId, [
      shown('hello world', 0, 1000, { confidence: 0.7, frameMs: 0 }),
      shown('Hello World', 1000, 2000, { confidence: 0.95, frameMs: 1000, x: 40 }),
      shown('HELLO WORLD', 1000, 2000, { confidence: 0.8, frameMs: 1000, x: 600 }),
    ]);
    const [first] = (await video.rows()).segments as { id: string }[];
    await video.run();
    const { segments } = await video.rows();
    expect(segments).toHaveLength(1);
    expect(segments[0]).toMatchObject({
      id: first?.id,
      text: 'Hello World',
      normalized_text: 'hello world',
      t_start: '0',
      t_end: '2000',
      frame_ms: '1000',
      confidence: 0.95,
      bounding_box: { x: 40 },
      indexed_at: expect.any(Date),
    });
  });

  test('a letter that was misread for a while, at the same place and less surely, is the text around it', async () => {
    expect(
      await rangesOf(
        shown('Hello world', 0, 5000),
        shown('Hello worid', 5000, 9000, { confidence: 0.8 }),
        shown('Hello world', 9000, 12_000, { confidence: 0.85 }),
        shown('He1lo world', 12_000, 13_000, { confidence: 0.7 }),
        shown('Hello world', 13_000, 20_000),
        shown('Hello worlo', 14_000, 15_000, { confidence: 0.8 }),
      ),
    ).toEqual(['Hello world 0-20000']);
  });

  test.each([
    ['is elsewhere', shown('Hello worid', 5000, 9000, { confidence: 0.8, x: 400 })],
    ['is read more surely', shown('Hello worid', 5000, 9000, { confidence: 0.99 })],
    ['does not reach to the next', shown('Hello worid', 5000, 8000, { confidence: 0.8 })],
    ['has a letter more', shown('Hello worlds', 5000, 9000, { confidence: 0.8 })],
    ['differs in two letters', shown('Hella worid', 5000, 9000, { confidence: 0.8 })],
  ])('what stands in between and %s is a text of its own', async (_what, between) => {
    expect(
      await rangesOf(shown('Hello world', 0, 5000), between, shown('Hello world', 9000, 12_000)),
    ).toHaveLength(3);
  });

  test.each([
    ['a digit for another', 'Step 12345', 'Step 12346'],
    ['a letter of a short word', 'Camera A', 'Camera B'],
  ])('%s is no misreading', async (_what, text, other) => {
    const ranges = await rangesOf(
      shown(text, 0, 1000),
      shown(other, 1000, 2000, { confidence: 0.8 }),
      shown(text, 2000, 3000),
    );
    expect(ranges).toHaveLength(3);
  });

  test('what was read on frames of another manifest goes, with the mark of having read them', async () => {
    const video = await makeReadVideo(q, tenantId, [shown('of this one', 0, 1000)]);
    await addTexts(q, tenantId, video.videoId, [shown('of another', 5000, 6000)], 'another manifest');
    await video.run();
    expect(await video.ranges()).toEqual(['of this one 0-1000']);
    const { rows } = await q.superuser.query(
      'select manifest_id from millrace.ocr_frames where video_id = $1',
      [video.videoId],
    );
    expect(rows).toEqual([{ manifest_id: MANIFEST }]);
  });

  test('a video without any text is done all the same', async () => {
    const video = await makeReadVideo(q, tenantId, []);
    expect(await video.run()).toEqual(done({ segmentCount: 0, entityCount: 0 }));
    expect(video.progress.map(({ stage }) => stage)).toEqual(['merge', 'entities', 'refresh']);
  });
});

describe('entities', () => {
  test('are written with what each kind has, and named in the result', async () => {
    const video = await makeReadVideo(q, tenantId, [
      shown('@Anna sells #Lamps for 1.299,00 € at shop.Example.co.uk 👍🏽', 0, 1000),
      shown('1.2K likes', 0, 1000),
    ]);
    expect(await video.run()).toEqual(done({ segmentCount: 2, entityCount: 6 }));
    const { rows } = await q.superuser.query(
      `select e.tenant_id, s.text, entity_type, subtype, value, normalized_value, domain, amount, currency
       from millrace.entities e join millrace.segments s on s.id = e.segment_id where e.video_id = $1 order by entity_type, value`,
      [video.videoId],
    );
    const none = { tenant_id: tenantId, subtype: null, domain: null, amount: null, currency: null };
    expect(rows).toEqual(
      [
        { entity_type: 'emoji', value: '👍🏽', normalized_value: '👍' },
        { entity_type: 'hashtag', value: '#Lamps', normalized_value: 'lamps' },
        { entity_type: 'mention', value: '@Anna', normalized_value: 'anna' },
        {
          entity_type: 'number',
          subtype: 'price',
          value: '1.299,00 €',
          normalized_value: '1299 eur',
          amount: '1299',
          currency: 'EUR',
        },
        { entity_type: 'number', subtype: 'count', value: '1.2K', normalized_value: '1200', amount: '1200' },
        {
          entity_type: 'url',
          value: 'shop.Example.co.uk',
          normalized_value: 'shop.example.co.uk',
          domain: 'example.co.uk',
        },
      ]
        .map((row) => ({
          ...none,
          text: row.value === '1.2K' ? '1.2K likes' : expect.stringContaining('Anna'),
          ...row,
        }))
        .sort(byKind),
    );
  });

  test('of a text that changed are found again, and of no other', async () => {
    const video = await makeReadVideo(q, tenantId, [shown('@stays', 0, 1000), shown('#grows', 0, 1000)]);
    await video.run();
    const before = await video.rows();
    await addTexts(q, tenantId, video.videoId, [shown('#Grows', 1000, 2000, { confidence: 0.99 })]);
    await video.run();
    const after = await video.rows();
    const [stays, grows] = before.entities as { id: string; segment_id: string }[];
    expect(after.entities).toContainEqual(stays);
    expect(after.entities).not.toContainEqual(grows);
    expect(after.entities).toHaveLength(2);
    expect(after.entities).toContainEqual(
      expect.objectContaining({ segment_id: grows?.segment_id, value: '#Grows' }),
    );
  });
});

const byKind = (
  a: { entity_type: string; value: string },
  b: { entity_type: string; value: string },
): number => a.entity_type.localeCompare(b.entity_type) || (a.value < b.value ? -1 : 1);

/** The job as if its row said so. */
function pretend(job: Job, said: Partial<Job>): void {
  for (const [name, value] of Object.entries(said)) Object.defineProperty(job, name, { value });
}

describe('a run', () => {
  const texts = [
    shown('Hello world', 0, 1000),
    shown('Hello world', 1000, 2000),
    shown('Hello worid', 2000, 3000, { confidence: 0.7 }),
    shown('Hello world', 3000, 4000),
    shown('@anna pays $5', 0, 1000),
  ];

  test('leaves the rows of other tenants and videos as they are', async () => {
    const other = await makeReadVideo(q, await q.makeTenant(), texts);
    const sibling = await makeReadVideo(q, tenantId, texts);
    const before = [await other.rows(), await sibling.rows()];
    const video = await makeReadVideo(q, tenantId, texts);
    await video.run();
    expect([await other.rows(), await sibling.rows()]).toEqual(before);
    // The other tenant's video, by a job of ours: there is nothing of it that our tenant has.
    const thief = await makeReadVideo(q, tenantId, []);
    const subject = { type: 'video', id: other.videoId };
    pretend(thief.claimed.job, { subject, payload: { video_id: other.videoId } });
    expect(await thief.run()).toEqual(done({ segmentCount: 0, entityCount: 0 }));
    expect(await other.rows()).toEqual(before[0]);
  });

  test('refuses a payload that names another video than its subject', async () => {
    const video = await makeReadVideo(q, tenantId, texts);
    pretend(video.claimed.job, { payload: { video_id: tenantId } });
    await expect(video.run()).rejects.toMatchObject({ type: 'InvalidPayload' });
  });

  test('that has lost its lease writes nothing', async () => {
    const video = await makeReadVideo(q, tenantId, texts);
    const before = await video.rows();
    await q.superuser.query('update millrace.jobs set lease_token = gen_random_uuid() where id = $1', [
      video.claimed.job.id,
    ]);
    await expect(video.run()).rejects.toMatchObject({ code: 'LostLease' });
    expect(await video.rows()).toEqual(before);
  });

  test('that is canceled writes nothing', async () => {
    const video = await makeReadVideo(q, tenantId, texts);
    const before = await video.rows();
    await expect(video.run(AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled');
    expect(await video.rows()).toEqual(before);
  });

  test('that is killed in the middle leaves everything as it was, and the next ends like an undisturbed one', async () => {
    const video = await makeReadVideo(q, tenantId, texts);
    const undisturbed = await makeReadVideo(q, tenantId, texts);
    const before = await video.rows();
    const { job, lease } = video.claimed;
    const claimed = JSON.stringify({ job: { tenantId: job.tenantId, subject: job.subject }, lease });
    const fixture = fileURLToPath(new URL('./killed-run.fixture.ts', import.meta.url));
    const child = spawn(process.execPath, [fixture, q.url, claimed, MANIFEST, 'refresh'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await video.rows()).toEqual(before);
    expect(await video.run()).toEqual(await undisturbed.run());
    expect(await video.ranges()).toEqual(await undisturbed.ranges());
    expect(await video.ranges()).toEqual(['@anna pays $5 0-1000', 'Hello world 0-4000']);
  });
});

test('whatever was read, a second run changes nothing, and no text is lost or made longer than it was read', async () => {
  const word = fc.constantFrom(
    'hello world',
    'hello worid',
    'hella world',
    'hell0 world',
    '#tag',
    '@a',
    'it costs $5',
  );
  const raw = fc.record({
    text: word,
    at: fc.nat({ max: 40 }),
    length: fc.integer({ min: 0, max: 12 }),
    confidence: fc.constantFrom(0.625, 0.75, 0.875),
    x: fc.constantFrom(0, 10, 300),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(raw, { minLength: 1, maxLength: 25 }), async (raws) => {
      const texts = raws.map(({ at, length, ...rest }) => ({
        ...rest,
        fromMs: at * 100,
        toMs: (at + length) * 100,
      }));
      const video = await makeReadVideo(q, tenantId, texts);
      const first = await video.run();
      const after = await video.rows();
      expect(await video.run()).toEqual(first);
      expect(await video.rows()).toEqual(after);
      checkRanges(texts, after.segments as Range[]);
    }),
    { numRuns: 20, examples: [[JOINED_UP_TO_ANOTHER], [READ_WRONG_TO_THE_END], [MISREAD_TWICE]] },
  );
});

/** With the misread text between them gone, the first range reaches another one of its text. */
const JOINED_UP_TO_ANOTHER = readings([
  ['hella world', 0, 0, 0],
  ['hello world', 0, 3, 0],
  ['hella world', 2, 0, 300],
  ['hella world', 4, 0, 0],
  ['hello world', 5, 0, 0],
]);
/** The misread text goes on after the right one was read for the last time. */
const READ_WRONG_TO_THE_END = readings([
  ['hello world', 0, 0, 300],
  ['hell0 world', 0, 4, 300],
  ['hello world', 2, 0, 300, 0.75],
]);
/** A misread text is joined with one that turns out to be misread itself. */
const MISREAD_TWICE = readings([
  ['hella world', 0, 0, 0],
  ['hello world', 1, 0, 0],
  ['hello worid', 1, 0, 0],
  ['hella world', 2, 0, 0],
]);

function readings(rows: [text: string, at: number, length: number, x: number, confidence?: number][]) {
  return rows.map(([text, at, length, x, confidence = 0.625]) => ({ text, at, length, x, confidence }));
}

interface Range {
  readonly normalized_text: string;
  readonly t_start: string;
  readonly t_end: string;
}

function checkRanges(texts: readonly RawText[], ranges: readonly Range[]): void {
  for (const range of ranges) {
    const same = ranges.filter((other) => other !== range && other.normalized_text === range.normalized_text);
    for (const other of same)
      expect(
        Number(other.t_start) > Number(range.t_end) + 150 ||
          Number(range.t_start) > Number(other.t_end) + 150,
      ).toBe(true);
    const read = texts.filter(({ text }) => text === range.normalized_text);
    expect(read.some(({ fromMs }) => fromMs === Number(range.t_start))).toBe(true);
    expect(read.some(({ toMs }) => toMs === Number(range.t_end))).toBe(true);
  }
  for (const { text, fromMs, toMs } of texts) {
    const covering = ranges.filter(
      ({ t_start, t_end }) => Number(t_start) <= fromMs + 150 && Number(t_end) >= toMs - 150,
    );
    const isThere = covering.some(({ normalized_text }) => normalized_text === text);
    // One letter for each time that it was misread: what it was joined with may be a misread text too.
    const isMisread = covering.some(({ normalized_text }) => lettersApart(normalized_text, text) <= 2);
    expect(isThere || isMisread, `${text} ${fromMs}-${toMs}`).toBe(true);
  }
}

function lettersApart(a: string, b: string): number {
  return a.length === b.length
    ? [...a].filter((letter, at) => letter !== b[at]).length
    : Number.POSITIVE_INFINITY;
}
