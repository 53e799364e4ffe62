import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { systemActor } from '../../src/core/actor.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { requestClip } from '../../src/jobs/request-clip.ts';
import type { Stage } from './stage.ts';

/** Clips of a stage's videos: asked for as the API does, made by its workers. */
export interface ClipDesk extends AsyncDisposable {
  /** Asks for a clip and resolves when it is ready. */
  make(videoId: string, tStartMs: number, tEndMs: number): Promise<void>;
}

/** A bell may be lost: look by itself this often. */
const LOOK_MS = 250;

/** Listens for changes, so that no end is seen late. */
export async function openClipDesk({
  client,
  database,
  queue,
  tenantId,
  databaseUrl,
}: Stage): Promise<ClipDesk> {
  const listener = new pg.Client({ connectionString: databaseUrl, application_name: 'bench clip listener' });
  await listener.connect();
  let heard = Promise.withResolvers<void>();
  listener.on('notification', () => heard.resolve());
  await listener.query(`listen ${WATCH_CHANNEL}`);
  const config = {
    maxUploadBytes: 1,
    signedUrlSeconds: 3600,
    maxClipSeconds: 600,
    clipRetentionDays: 30,
    uploadHours: 24,
    scanTenant: null,
  };
  const deps = { db: database, queue, config };
  return {
    make: async (videoId, tStartMs, tEndMs) => {
      const asked = { videoId, tStartMs, tEndMs, paddingMs: 0 };
      const { clipId } = await requestClip(deps, systemActor(tenantId), asked);
      for (;;) {
        heard = Promise.withResolvers<void>();
        const { rows } = await client.query<{ status: string; error: unknown }>(
          'select status, error from millrace.clips where id = $1',
          [clipId],
        );
        const found = rows[0];
        if (found?.status === 'ready') return;
        if (found?.status !== 'queued')
          throw new Error(`The clip ended as ${found?.status}: ${JSON.stringify(found?.error)}`);
        await Promise.race([heard.promise, delay(LOOK_MS)]);
      }
    },
    [Symbol.asyncDispose]: () => listener.end(),
  };
}
