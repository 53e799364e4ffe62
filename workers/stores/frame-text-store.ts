import { cleanText } from '../../src/core/clean-text.ts';
import { PermanentError } from '../../src/core/errors.ts';
import type { Job } from '../../src/core/job.ts';
import type { Lease } from '../../src/core/queue.ts';
import type { Database } from '../../src/db/database.ts';
import { deleteFrameTexts } from '../../src/db/sql/domain/delete-frame-texts.ts';
import { findReadFrames } from '../../src/db/sql/domain/find-read-frames.ts';
import { insertReadFrames } from '../../src/db/sql/domain/insert-read-frames.ts';
import { insertSegments } from '../../src/db/sql/domain/insert-segments.ts';
import { refreshSearch } from '../../src/db/sql/domain/refresh-search.ts';
import type { FrameTextStore, ReadFrame, Reading } from '../stores.ts';
import { hold } from './hold.ts';

/**
 * The texts of one job's video. Works as the API role with the job's tenant, so that no payload reaches another tenant's rows, and
 * commits only while the run has its lease.
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
        tx.query<{ frame_ms: number }>(findReadFrames, [tenantId, videoId(), frameMs, ...wayOf(reading)]),
      );
      return new Set(rows.map((row) => row.frame_ms));
    },
    commit: async (reading, frames) => {
      if (frames.length === 0) return;
      const video = [tenantId, videoId()];
      await database.transaction({ role: 'api', tenantId }, async (tx) => {
        const times = frames.map(({ frameMs }) => frameMs);
        await tx.query(deleteFrameTexts, [...video, times]);
        const rows = frames.flatMap(rowsOf);
        await tx.query(insertSegments, [...video, ...columns(rows)]);
        const counts = frames.map(({ lines, spans }) => lines.length * spans.length);
        const noted = await tx.query(insertReadFrames, [...video, times, counts, ...wayOf(reading)]);
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

function wayOf(reading: Reading): readonly unknown[] {
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

/** Each line once for every time that the video shows its frame. */
function rowsOf({ frameMs, lines, spans }: ReadFrame): readonly Row[] {
  return lines.flatMap((line) => {
    const text = cleanText(line.text);
    const words = JSON.stringify(line.words.map((word) => ({ ...word, text: cleanText(word.text) })));
    return spans.map(
      ([startMs, endMs]): Row => [
        ...([frameMs, startMs, endMs, text, normalize(text), line.confidence, line.language] as const),
        JSON.stringify(line.box),
        words,
      ],
    );
  });
}

/** Seed 001: lower case, one space between words; and one form for letters that can be written in several (NFKC). */
function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function columns(rows: readonly Row[]): readonly unknown[][] {
  return Array.from({ length: 9 }, (_, column) => rows.map((row) => row[column]));
}
