import { startShippedWorker } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';
import { openVideoHarness } from '../stage/videos.ts';
import type { FoundSegment } from './score.ts';

export interface FeedReading {
  readonly engine: string;
  readonly seconds: number;
  readonly segments: readonly FoundSegment[];
}

/**
 * Sends the feed through all stages of the worker that ships, and gives what it has read.
 * @param searchPath folders in which the worker looks for programs; an empty one leaves it those of npm
 */
export async function readFeed(
  videoPath: string,
  searchPath: string,
  say: (line: string) => void,
): Promise<FeedReading> {
  await using stage = await openStage({ say });
  const worker = await startShippedWorker(stage, { PATH: searchPath });
  try {
    await using harness = await openVideoHarness(stage);
    const videoId = await harness.upload(videoPath);
    const beganMs = performance.now();
    await harness.process(videoId);
    const seconds = (performance.now() - beganMs) / 1000;
    const { rows } = await stage.client.query<FoundSegment>(
      `select frame_ms::float8 as "frameMs", t_start::float8 as "tStartMs", t_end::float8 as "tEndMs", words from millrace.segments where video_id = $1`,
      [videoId],
    );
    const engines = await stage.client.query<{ engine: string }>(
      `select distinct engine || ' ' || engine_version as engine from millrace.ocr_frames where video_id = $1`,
      [videoId],
    );
    return { engine: engines.rows.map(({ engine }) => engine).join(', '), seconds, segments: rows };
  } finally {
    await worker.interrupt();
  }
}
