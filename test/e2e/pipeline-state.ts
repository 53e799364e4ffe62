import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodedDigest } from '../support/decoded.ts';
import type { Platform } from './platform.ts';

/**
 * All that a video's pipeline leaves behind, with nothing in it that differs from run to run: ids, times of
 * the clock, numbers of runs.
 */
export interface PipelineState {
  readonly video: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly string[];
  readonly segments: readonly unknown[];
  readonly entities: readonly unknown[];
  readonly frames: readonly unknown[];
}

/** Reads it, and every file that an artifact's row names, as it lies in the folder. */
export async function pipelineState(platform: Platform, videoId: string): Promise<PipelineState> {
  const query = async (sql: string) => (await platform.superuser.query(sql, [videoId])).rows;
  const plain = (text: string) =>
    text.replaceAll(videoId, '{video}').replaceAll(/(segment|live|stream)_r\d+/g, '$1');
  const [video] = await query(
    `select status, proxy_key, thumb_key, duration_ms, width_px, height_px, fps, error from millrace.videos where id = $1::uuid`,
  );
  const artifacts: string[] = [];
  for (const row of await query(
    `select kind, key, size_bytes::int as size, sha256 from millrace.artifacts where subject_type = 'video' and subject_id = $1::text`,
  )) {
    const bytes = await readFile(join(platform.dataDir, 'storage', row.key));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== row.sha256 || bytes.length !== row.size)
      throw new Error(`${row.key} is not what its row says`);
    // Lists name segments by their run, and manifests the video by its id.
    const isText = /\.(m3u8|json)$/.test(row.key);
    const isSegment = row.kind === 'hls_segment';
    const digest = isSegment ? await decodedDigest(platform.dataDir, bytes) : sha256;
    const content = isText ? plain(bytes.toString('utf8')) : digest;
    artifacts.push(`${row.kind} ${plain(row.key)} ${content}`);
  }
  return {
    video: JSON.parse(plain(JSON.stringify(video))),
    artifacts: artifacts.sort(),
    segments: await query(
      `select frame_ms, t_start, t_end, text, normalized_text, text_hash, round(confidence::numeric, 4) as confidence, language, bounding_box,
              words, owner_id, team_id, indexed_at is not null as indexed
       from millrace.segments where video_id = $1::uuid order by t_start, t_end, text, bounding_box::text`,
    ),
    entities: await query(
      `select e.entity_type, e.subtype, e.value, e.normalized_value, e.domain, e.amount, e.currency, s.text, s.t_start
       from millrace.entities e join millrace.segments s on s.id = e.segment_id
       where e.video_id = $1::uuid order by s.t_start, s.text, e.entity_type, e.value, e.normalized_value`,
    ),
    frames: await query(
      `select frame_ms, engine, languages, min_confidence, segment_count from millrace.ocr_frames where video_id = $1::uuid order by frame_ms`,
    ),
  };
}
