import { systemCaller } from '../../src/access/admissions.ts';
import { requestClip } from '../../src/domains/clips/use-cases/request-clip.ts';
import { watchChanges } from './change-watch.ts';
import type { Stage } from './stage.ts';

/** Clips of a stage's videos: asked for as the API does, made by its workers. */
export interface ClipHarness extends AsyncDisposable {
  /** Asks for a clip and resolves when it is ready. */
  make(videoId: string, tStartMs: number, tEndMs: number): Promise<void>;
}

export async function openClipHarness({
  client,
  database,
  queue,
  tenantId,
  databaseUrl,
}: Stage): Promise<ClipHarness> {
  const changes = await watchChanges(databaseUrl);
  const config = {
    maxUploadBytes: 1,
    signedUrlSeconds: 3600,
    maxVideoSeconds: 3600,
    maxClipSeconds: 600,
    clipRetentionDays: 30,
    uploadHours: 24,
    scanTenant: null,
    jwtClockToleranceSeconds: 5,
    tenantStorageBytes: 0,
    maxPayloadBytes: 1_048_576,
    outgoingAllowed: [],
    outgoingPorts: [],
    aiUrl: null,
    aiKey: null,
    aiEmbeddingModel: '',
  };
  const deps = { db: database, queue, config };
  return {
    make: async (videoId, tStartMs, tEndMs) => {
      const asked = { videoId, tStartMs, tEndMs, paddingMs: 0 };
      const { clipId } = await requestClip(deps, systemCaller(tenantId), asked);
      await changes.until(async () => {
        const { rows } = await client.query<{ status: string; error: unknown }>(
          'select status, error from millrace.clips where id = $1',
          [clipId],
        );
        const found = rows[0];
        if (found?.status !== 'queued' && found?.status !== 'ready')
          throw new Error(`The clip ended as ${found?.status}: ${JSON.stringify(found?.error)}`);
        return found.status === 'ready';
      });
    },
    [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose](),
  };
}
