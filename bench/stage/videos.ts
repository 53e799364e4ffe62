import { join } from 'node:path';
import { systemActor } from '../../src/core/actor.ts';
import { upsertArtifacts } from '../../src/db/sql/queue/upsert-artifacts.ts';
import { insertVideo } from '../../src/domains/videos/sql/insert-video.ts';
import { completeOriginal } from '../../src/domains/videos/uploads/complete-video-upload.ts';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { originalKey, playlistKey } from '../../src/storage/video-keys.ts';
import type { MediaTools } from '../../workers/handler.ts';
import { mediaToKeep } from '../../workers/handlers/videos/known-media.ts';
import { identityOf } from '../../workers/handlers/videos/published.ts';
import { probe } from '../../workers/tools/ffprobe.ts';
import { VIDEO_FORMATS } from '../../workers/tools/media-formats.ts';
import { watchChanges } from './change-watch.ts';
import type { Stage } from './stage.ts';

/** Videos of a stage: put into the store of its workers and sent through them. */
export interface VideoHarness extends AsyncDisposable {
  /** Stores a file as a new video's original. */
  upload(path: string): Promise<string>;
  /**
   * Notes of a video what its transcode would have, without an hour's transcode: what ffprobe reports of the
   * original.
   */
  describe(videoId: string, media: Pick<MediaTools, 'ffprobePath'>): Promise<void>;
  /** Completes the upload as the API does and resolves when the transcode has succeeded. */
  transcode(videoId: string): Promise<void>;
  /** Completes the upload and resolves when the video is ready to be searched. */
  process(videoId: string): Promise<void>;
  /** Removes its files. */
  remove(videoId: string): Promise<void>;
}

/** Opens the store that the stage's processes use. */
export async function openVideoHarness(stage: Stage): Promise<VideoHarness> {
  const { client, database, queue, tenantId } = stage;
  const store = await openLocalStore(join(stage.env['MILLRACE_DATA_DIR'] as string, 'storage'));
  const changes = await watchChanges(stage.databaseUrl);
  const actor = systemActor(tenantId);
  const deps = { db: database, queue, store, config: { maxUploadBytes: Number.MAX_SAFE_INTEGER } };
  return {
    upload: async (path) => {
      const { rows } = await client.query<{ id: string }>('select uuidv7() as id');
      const { id } = rows[0] as { id: string };
      const key = originalKey(id);
      await database.transaction({ role: 'api', tenantId }, (tx) =>
        tx.query(insertVideo, [id, tenantId, actor.name, 'Bench', null, key, null, null, null, null]),
      );
      await store.put(key, { path });
      return id;
    },
    describe: async (videoId, { ffprobePath }) => {
      const key = originalKey(videoId);
      const info = await probe(await store.localPath(key), { ffprobePath, formats: VIDEO_FORMATS });
      const stat = await store.stat(key);
      if (stat === null) throw new Error(`${key} is not there`);
      const metadata = JSON.stringify({ source: identityOf(stat), media: mediaToKeep(info) });
      await database.transaction({ role: 'worker', tenantId }, (tx) =>
        tx.query(upsertArtifacts, [
          tenantId,
          null,
          null,
          'video',
          videoId,
          ['hls_playlist'],
          [playlistKey(videoId)],
          [1],
          ['0'.repeat(64)],
          ['application/vnd.apple.mpegurl'],
          [metadata],
        ]),
      );
      await client.query(`update millrace.videos set status = 'transcoded' where id = $1`, [videoId]);
    },
    transcode: async (videoId) => {
      const { jobId } = await completeOriginal(deps, actor.tenantId, videoId, actor.name);
      await changes.until(async () => {
        const { rows } = await client.query<{ status: string; error: unknown }>(
          'select status, last_error as error from millrace.jobs where id = $1',
          [jobId],
        );
        const job = rows[0];
        if (!['queued', 'running', 'succeeded'].includes(job?.status ?? ''))
          throw new Error(`The transcode ended as ${job?.status}: ${JSON.stringify(job?.error)}`);
        return job?.status === 'succeeded';
      });
    },
    process: async (videoId) => {
      await completeOriginal(deps, actor.tenantId, videoId, actor.name);
      await changes.until(async () => {
        const { rows } = await client.query<{ status: string; error: string | null }>(
          'select status, error from millrace.videos where id = $1',
          [videoId],
        );
        const video = rows[0];
        if (video?.status === 'failed') throw new Error(`The video failed: ${video.error}`);
        return video?.status === 'ready';
      });
    },
    remove: async (videoId) => {
      for (const prefix of [
        `videos/original/${videoId}/`,
        `videos/proxy/${videoId}/`,
        `thumbs/${videoId}/`,
        `frames/${videoId}/`,
      ]) {
        for await (const { key } of store.list(prefix)) await store.delete(key);
      }
    },
    [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose](),
  };
}
