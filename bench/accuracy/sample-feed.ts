import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { PayloadOf } from '../../src/core/definition.ts';
import {
  DEFAULT_DEDUPE_THRESHOLD,
  DEFAULT_TARGET_FPS,
  type sample,
} from '../../src/domains/videos/definitions/sample.ts';
import type { FrameManifest } from '../../src/domains/videos/pipeline/frame-manifest.ts';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { frameManifestKey, originalKey } from '../../src/storage/video-keys.ts';
import { handlerContext } from '../../test/support/handler-context.ts';
import type { MediaTools } from '../../workers/handler.ts';
import { createSample } from '../../workers/handlers/videos/sample.ts';

const VIDEO_ID = '0198f0a0-0000-7000-8000-0000000000fe';
const LIMITS = { maxVideoSeconds: 3600, maxSizeBytes: 2 ** 32 };

/** The sampler's handler around one video, without a queue. */
export interface Sampler {
  /** Keeps its frames again; they are in `{directory}/store` afterwards. */
  run(): Promise<FrameManifest>;
}

export async function openSampler(videoPath: string, directory: string, media: MediaTools): Promise<Sampler> {
  const [storePath, temp] = [join(directory, 'store'), join(directory, 'temp')];
  for (const path of [storePath, temp]) await rm(path, { recursive: true, force: true });
  await mkdir(temp, { recursive: true });
  const storage = await openLocalStore(storePath);
  const key = originalKey(VIDEO_ID);
  await storage.put(key, { stream: createReadStream(videoPath) });
  const say = (message: string, data?: object): void =>
    console.log(`  ${message} ${JSON.stringify(data ?? {})}`);
  const handler = createSample(LIMITS);
  return {
    run: async () => {
      await handler(
        handlerContext<PayloadOf<typeof sample>>({
          payload: {
            video_id: VIDEO_ID,
            s3_original_path: key,
            target_fps: DEFAULT_TARGET_FPS,
            dedupe_threshold: DEFAULT_DEDUPE_THRESHOLD,
          },
          subject: { type: 'video', id: VIDEO_ID },
          log: { debug() {}, info: say, warn: say, error: say },
          tools: { storage, tempDir: async () => temp },
          own: { media },
        }),
      );
      const { stream } = await storage.get(frameManifestKey(VIDEO_ID));
      return (await json(stream)) as FrameManifest;
    },
  };
}
