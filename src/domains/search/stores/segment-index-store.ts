import type { Job } from '../../../core/job.ts';
import type { Lease } from '../../../core/queue.ts';
import type { Database, Transaction } from '../../../db/database.ts';
import { hold } from '../../../db/hold-lease.ts';
import { beginIndex } from '../sql/begin-index.ts';
import { countIndex, type IndexCountRow } from '../sql/count-index.ts';
import { deleteChangedEntities } from '../sql/delete-changed-entities.ts';
import { deleteOtherTexts } from '../sql/delete-other-texts.ts';
import { type ChangedSegmentRow, findChangedSegments } from '../sql/find-changed-segments.ts';
import { insertEntities } from '../sql/insert-entities.ts';
import { lockVideoIndex } from '../sql/lock-video-index.ts';
import { mergeSegments } from '../sql/merge-segments.ts';
import { refreshSearch } from '../sql/refresh-search.ts';
import type { SegmentIndexStore } from './contract.ts';
import { joinMisreadRanges } from './misread-texts.ts';
import { pagesByTime } from './pages-by-time.ts';

/** Texts that are looked through before the event loop gets its turn: some 20 ms. */
const PAGE_SIZE = 1_000;

/** Before all of these percents something else was done. */
const PERCENT = { merge: 0, entities: 40, refresh: 90 };

type IndexOptions = Parameters<SegmentIndexStore['index']>[0];

/**
 * The index of one job's video. Works as the API role with the job's tenant, so that no payload reaches
 * another tenant's rows, and commits only while the run has its lease.
 */
export function createSegmentIndexStore(database: Database, job: Job, lease: Lease): SegmentIndexStore {
  const { tenantId, subject } = job;
  return {
    index: async (options) => {
      if (subject?.type !== 'video') throw new TypeError('Only a job about a video has an index');
      const video: Video = { tenantId, videoId: subject.id };
      return database.transaction({ role: 'api', tenantId, endsWhenFrozen: true }, async (tx) => {
        await tx.query(beginIndex, []);
        await tx.query(lockVideoIndex, [video.videoId]);
        await merge(tx, video, options);
        await replaceEntities(tx, video, options);
        options.signal.throwIfAborted();
        options.onProgress(PERCENT.refresh, 'refresh');
        await tx.query(refreshSearch, [video.videoId]);
        const { rows } = await tx.query<IndexCountRow>(countIndex, [tenantId, video.videoId]);
        // Last, since the row is locked from here on and a locked lease is not renewed.
        await hold(tx, tenantId, lease);
        return { segmentCount: rows[0]?.segment_count ?? 0, entityCount: rows[0]?.entity_count ?? 0 };
      });
    },
  };
}

interface Video {
  readonly tenantId: string;
  readonly videoId: string;
}

async function merge(tx: Transaction, video: Video, options: IndexOptions): Promise<void> {
  const { tenantId, videoId } = video;
  options.signal.throwIfAborted();
  options.onProgress(PERCENT.merge, 'merge');
  await tx.query(deleteOtherTexts, [tenantId, videoId, options.manifestId]);
  // A joined range may stand around another misread one, or reach another range of its own text. So both
  // steps are repeated until nothing is left to join, and a second run finds nothing either. Each round
  // leaves fewer ranges, and the second one nearly always finds nothing.
  do await tx.query(mergeSegments, [tenantId, videoId, options.toleranceMs]);
  while ((await joinMisreadRanges(tx, video, options)) > 0);
}

/** Finds entities again in the ranges that this transaction has changed; all others have theirs already. */
async function replaceEntities(tx: Transaction, video: Video, options: IndexOptions): Promise<void> {
  const { tenantId, videoId } = video;
  options.onProgress(PERCENT.entities, 'entities');
  await tx.query(deleteChangedEntities, [tenantId, videoId]);
  const pages = pagesByTime(PAGE_SIZE, options.signal, (after) =>
    tx.query<ChangedSegmentRow>(findChangedSegments, [tenantId, videoId, after.t_start, after.id, PAGE_SIZE]),
  );
  // Here and not at the start of every worker: it knows all the domains that there are.
  const { findEntities } = await import('../../../text/entities/find-entities.ts');
  for await (const rows of pages) {
    const found = rows.flatMap(({ id, text }) => findEntities(text).map((entity) => ({ id, ...entity })));
    if (found.length > 0) {
      await tx.query(insertEntities, [
        tenantId,
        videoId,
        found.map(({ id }) => id),
        found.map(({ type }) => type),
        found.map(({ subtype }) => subtype),
        found.map(({ value }) => value),
        found.map(({ normalizedValue }) => normalizedValue),
        found.map(({ domain }) => domain),
        found.map(({ amount }) => amount),
        found.map(({ currency }) => currency),
      ]);
    }
  }
}
