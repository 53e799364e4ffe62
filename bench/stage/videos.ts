import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { systemActor } from '../../src/core/actor.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { insertVideo } from '../../src/db/sql/domain/insert-video.ts';
import { completeVideoUpload } from '../../src/jobs/complete-video-upload.ts';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { originalKey, playlistKey } from '../../src/storage/video-keys.ts';
import type { MediaTools } from '../../workers/handler.ts';
import { mediaToKeep } from '../../workers/handlers/video/known-media.ts';
import { identityOf } from '../../workers/handlers/video/published.ts';
import { probe } from '../../workers/tools/ffprobe.ts';
import { VIDEO_FORMATS } from '../../workers/tools/media-formats.ts';
import type { Stage } from './stage.ts';

/** Videos of a stage: put into the store of its workers and sent through them. */
export interface VideoDesk extends AsyncDisposable {
  /** Stores a file as a new video's original. */
  upload(path: string): Promise<string>;
  /** Notes of a video what its transcode would have, without an hour's transcode: what ffprobe tells of the original. */
  describe(videoId: string, media: Pick<MediaTools, 'ffprobePath'>): Promise<void>;
  /** Completes the upload as the API does and resolves when the transcode has succeeded. */
  transcode(videoId: string): Promise<void>;
  /** Completes the upload and resolves when the video is ready to be searched. */
  process(videoId: string): Promise<void>;
  /** Removes its files. */
  remove(videoId: string): Promise<void>;
}

/** A bell may be lost: look by itself this often. */
const LOOK_MS = 250;

/** Opens the store that the stage's processes use, and listens for changes, so that no end is seen late. */
export async function openVideoDesk(stage: Stage): Promise<VideoDesk> {
  const { client, database, queue, tenantId } = stage;
  const store = await openLocalStore(join(stage.env['MILLRACE_DATA_DIR'] as string, 'storage'));
  const listener = new pg.Client({ connectionString: stage.databaseUrl, application_name: 'bench listener' });
  await listener.connect();
  let heard = Promise.withResolvers<void>();
  listener.on('notification', () => heard.resolve());
  await listener.query(`listen ${WATCH_CHANNEL}`);
  const actor = systemActor(tenantId);
  return {
    upload: async (path) => {
      const { rows } = await client.query<{ id: string }>('select uuidv7() as id');
      const { id } = rows[0] as { id: string };
      const key = originalKey(id);
      await database.transaction({ role: 'api', tenantId }, (tx) =>
        tx.query(insertVideo, [id, tenantId, actor.name, 'Bench', null, key, null, null]),
      );
      await store.put(key, { path });
      return id;
    },
    describe: async (videoId, { ffprobePath }) => {
      const key = originalKey(videoId);
      const info = await probe(await store.localPath(key), { ffprobePath, formats: VIDEO_FORMATS });
      const stat = await store.stat(key);
      if (stat === null) throw new Error(`${key} is not there`);
      await client.query(
        `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type, metadata)
         values ($1, 'video', $2, 'hls_playlist', $3, 1, repeat('0', 64), 'application/vnd.apple.mpegurl', $4)`,
        [tenantId, videoId, playlistKey(videoId), { source: identityOf(stat), media: mediaToKeep(info) }],
      );
      await client.query(`update millrace.videos set status = 'transcoded' where id = $1`, [videoId]);
    },
    transcode: async (videoId) => {
      const deps = { db: database, queue, store, config: { maxUploadBytes: Number.MAX_SAFE_INTEGER } };
      const { jobId } = await completeVideoUpload(deps, actor, videoId);
      for (;;) {
        heard = Promise.withResolvers<void>();
        const { rows } = await client.query<{ status: string; error: unknown }>(
          'select status, last_error as error from millrace.jobs where id = $1',
          [jobId],
        );
        const job = rows[0];
        if (job?.status === 'succeeded') return;
        if (job?.status !== 'queued' && job?.status !== 'running')
          throw new Error(`The transcode ended as ${job?.status}: ${JSON.stringify(job?.error)}`);
        await Promise.race([heard.promise, delay(LOOK_MS)]);
      }
    },
    process: async (videoId) => {
      const deps = { db: database, queue, store, config: { maxUploadBytes: Number.MAX_SAFE_INTEGER } };
      await completeVideoUpload(deps, actor, videoId);
      for (;;) {
        heard = Promise.withResolvers<void>();
        const { rows } = await client.query<{ status: string; error: string | null }>(
          'select status, error from millrace.videos where id = $1',
          [videoId],
        );
        const video = rows[0];
        if (video?.status === 'ready') return;
        if (video?.status === 'failed') throw new Error(`The video failed: ${video.error}`);
        await Promise.race([heard.promise, delay(LOOK_MS)]);
      }
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
    [Symbol.asyncDispose]: () => listener.end(),
  };
}
