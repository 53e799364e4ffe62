import { cleanText } from '../../../core/clean-text.ts';
import { PermanentError } from '../../../core/errors.ts';
import type { Job } from '../../../core/job.ts';
import type { Lease } from '../../../core/queue.ts';
import type { Database } from '../../../db/database.ts';
import { hold } from '../../../db/hold-lease.ts';
import { deleteFrameTexts } from '../sql/delete-frame-texts.ts';
import { findReadFrames } from '../sql/find-read-frames.ts';
import { insertReadFrames } from '../sql/insert-read-frames.ts';
import { insertSegments } from '../sql/insert-segments.ts';
import { refreshSearch } from '../sql/refresh-search.ts';
import type { FrameTextStore, ReadFrame, Reading } from './contract.ts';

/**
 * The texts of one job's video. Works as the API role with the job's tenant, so that no payload reaches
 * another tenant's rows, and commits only while the run has its lease.
 */
export function createFrameTextStore(database: Database, job: Job, lease: Lease): FrameTextStore {
  const { tenantId, subject } = job;
  const videoId = (): string => {
    if (subject?.type !== 'video') throw new TypeError('Only a job about a video has frames');
    return subject.id;
  };
  return {
    findRead: async (frameMs, reading) => {
      const { rows } = await database.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
        tx.query<{ frame_ms: number }>(findReadFrames, [tenantId, videoId(), frameMs, ...pathOf(reading)]),
      );
      return new Set(rows.map((row) => row.frame_ms));
    },
    commit: async (reading, frames) => {
      if (frames.length === 0) return;
      const video = [tenantId, videoId()];
      await database.transaction({ role: 'api', tenantId, endsWhenFrozen: true }, async (tx) => {
        const times = frames.map(({ frameMs }) => frameMs);
        await tx.query(deleteFrameTexts, [...video, times]);
        for (const rows of inPages(frames)) await tx.query(insertSegments, [...video, ...columns(rows)]);
        const counts = frames.map(({ lines, spans }) => lines.length * spans.length);
        const noted = await tx.query(insertReadFrames, [...video, times, counts, ...pathOf(reading)]);
        // A foreign key would take another tenant's video.
        if (noted.rowCount !== frames.length)
          throw new PermanentError('VideoNotFound', `The tenant has no video ${videoId()}`);
        await tx.query(refreshSearch, [videoId()]);
        // Last, since the row is locked from here on and a locked lease is not renewed.
        await hold(tx, tenantId, lease);
      });
    },
  };
}

function pathOf(reading: Reading): readonly unknown[] {
  const { manifestId, engine, engineVersion, languages, minConfidence } = reading;
  return [manifestId, engine, engineVersion, languages, minConfidence];
}

type Row = readonly [
  frameMs: number,
  tStart: number,
  tEnd: number,
  text: string,
  normalizedText: string,
  confidence: number,
  language: string,
  boundingBox: string,
  words: string,
];

/** Rows of one statement. */
const PAGE_ROWS = 1_000;

/**
 * A frame that comes back again and again (a cursor that blinks) has thousands of times, and each line is a
 * row for each of them.
 */
function* inPages(frames: readonly ReadFrame[]): Generator<readonly Row[]> {
  let page: Row[] = [];
  for (const frame of frames) {
    for (const row of rowsOf(frame)) {
      if (page.push(row) < PAGE_ROWS) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

/** Each line once for every time that the video shows its frame. */
function* rowsOf({ frameMs, lines, spans }: ReadFrame): Generator<Row> {
  for (const line of lines) {
    const text = cleanText(line.text);
    const words = JSON.stringify(line.words.map((word) => ({ ...word, text: cleanText(word.text) })));
    const normalized = normalize(text);
    const box = JSON.stringify(line.box);
    for (const [startMs, endMs] of spans)
      yield [frameMs, startMs, endMs, text, normalized, line.confidence, line.language, box, words];
  }
}

/**
 * The video system's contract: lower case, one space between words; and one form for letters that can be
 * written in several (NFKC).
 */
function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function columns(rows: readonly Row[]): readonly unknown[][] {
  return Array.from({ length: 9 }, (_, column) => rows.map((row) => row[column]));
}
