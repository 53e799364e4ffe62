import { createHash, randomUUID } from 'node:crypto';
import type { ClaimedJob } from '../../../../src/core/queue.ts';
import { createSegmentIndexStore } from '../../../../src/domains/search/stores/segment-index-store.ts';
import { segmentIndex } from '../../../../src/domains/videos/definitions/segment-index.ts';
import { createSegmentIndex } from '../../../../workers/handlers/videos/segment-index.ts';
import { createArtifactLookup } from '../../../../workers/stores/artifact-lookup.ts';
import { handlerContext } from '../../../support/handler-context.ts';
import type { TestQueue } from '../../../support/queue.ts';

export const MANIFEST = createHash('sha256').update('the manifest').digest('hex');

/** A line as the reader of frames writes it. */
export interface RawText {
  readonly text: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly confidence?: number;
  readonly frameMs?: number;
  /** Left edge of its box, which is 200 by 20. */
  readonly x?: number;
}

/** A video whose frames have been read, with the claimed job that is to index it. */
export interface ReadVideo {
  readonly tenantId: string;
  readonly videoId: string;
  readonly claimed: ClaimedJob;
  readonly progress: { readonly percent?: number | null; readonly stage?: string | null }[];
  /** Runs the handler as a worker does. */
  run(signal?: AbortSignal): Promise<unknown>;
  /** Its segments as `text from-to`, in the order of time. */
  ranges(): Promise<string[]>;
  /** Whole rows of segments and entities. */
  rows(): Promise<{ readonly segments: unknown[]; readonly entities: unknown[] }>;
}

export async function makeReadVideo(
  q: TestQueue,
  tenantId: string,
  texts: readonly RawText[],
): Promise<ReadVideo> {
  const videoId = randomUUID();
  await q.superuser.query(
    `insert into millrace.videos (id, tenant_id, title, original_key) values ($1, $2, 'A talk', 'x')`,
    [videoId, tenantId],
  );
  await q.superuser.query(
    `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
     values ($1, 'video', $2, 'frame_manifest', 'frames/' || $2 || '/manifest.json', 1, $3, 'application/json')`,
    [tenantId, videoId, MANIFEST],
  );
  await addTexts(q, tenantId, videoId, texts);
  await q.queue.enqueue(tenantId, [
    {
      definitionKey: segmentIndex.key,
      payload: { video_id: videoId },
      subject: { type: 'video', id: videoId },
    },
  ]);
  const claimed = (await q.claim()).find(({ job }) => job.subject?.id === videoId);
  if (claimed === undefined) throw new Error('the job was not claimed');
  const progress: ReadVideo['progress'] = [];
  return {
    tenantId,
    videoId,
    claimed,
    progress,
    run: (signal) => {
      const { job, lease } = claimed;
      return createSegmentIndex()(
        handlerContext({
          payload: job.payload as { video_id: string },
          subject: job.subject,
          ...(signal && { signal }),
          artifacts: createArtifactLookup(q.queue, job),
          own: { segmentIndex: createSegmentIndexStore(q.db, job, lease) },
          progress: (update) => progress.push(update),
        }),
      );
    },
    ranges: async () => {
      const { rows } = await q.superuser.query(
        `select text || ' ' || t_start || '-' || t_end as range from millrace.segments where video_id = $1 order by t_start, text`,
        [videoId],
      );
      return rows.map(({ range }) => range);
    },
    rows: async () => {
      const segments = await q.superuser.query(
        'select * from millrace.segments where video_id = $1 order by id',
        [videoId],
      );
      const entities = await q.superuser.query(
        'select * from millrace.entities where video_id = $1 order by id',
        [videoId],
      );
      return { segments: segments.rows, entities: entities.rows };
    },
  };
}

/** Writes texts with the frames that they were read on, as `ocr` leaves them. */
export async function addTexts(
  q: TestQueue,
  tenantId: string,
  videoId: string,
  texts: readonly RawText[],
  manifestId = MANIFEST,
): Promise<void> {
  const frameOf = ({ frameMs, fromMs }: RawText): number => frameMs ?? fromMs;
  await q.superuser.query(
    `insert into millrace.ocr_frames (tenant_id, video_id, frame_ms, manifest_id, engine, engine_version, languages, min_confidence, segment_count)
     select distinct on (f) $1::uuid, $2::uuid, f, $4, 'tesseract', '5', array['eng'], 0.6, 1 from unnest($3::bigint[]) f
     on conflict do nothing`,
    [tenantId, videoId, texts.map(frameOf), manifestId],
  );
  await q.superuser.query(
    `insert into millrace.segments
       (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box, words)
     select $1, $2, t.frame_ms, t.t_start, t.t_end, t.text, lower(t.text), encode(sha256(convert_to(lower(t.text), 'UTF8')), 'hex'),
            t.confidence, 'eng', jsonb_build_object('x', t.x, 'y', 10, 'width', 200, 'height', 20), '[]'
     from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::real[], $8::integer[])
       as t (frame_ms, t_start, t_end, text, confidence, x)`,
    [
      tenantId,
      videoId,
      texts.map(frameOf),
      texts.map(({ fromMs }) => fromMs),
      texts.map(({ toMs }) => toMs),
      texts.map(({ text }) => text),
      texts.map(({ confidence }) => confidence ?? 0.9),
      texts.map(({ x }) => x ?? 10),
    ],
  );
}
