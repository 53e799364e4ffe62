import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { PayloadOf } from '../../src/core/definition.ts';
import type { ArtifactRecord, Outcome } from '../../src/core/outcome.ts';
import { sample } from '../../src/domains/videos/definitions/sample.ts';
import type { FrameManifest } from '../../src/domains/videos/pipeline/frame-manifest.ts';
import type { SampleResult } from '../../src/domains/videos/pipeline/stage-results.ts';
import { type LocalObjectStore, openLocalStore } from '../../src/storage/local-store.ts';
import { frameManifestKey, originalKey } from '../../src/storage/video-keys.ts';
import type { ProgressUpdate } from '../../workers/handler.ts';
import { createSample } from '../../workers/handlers/videos/sample.ts';
import { makeJobDirectory } from '../../workers/tools/job-directory.ts';
import type { FoundMediaTools } from '../../workers/tools/media-tools.ts';
import { type GivenContext, handlerContext } from './handler-context.ts';
import { LIMITS, VIDEO_ID } from './media.ts';
import { makeTempDir } from './temp-dir.ts';

type SamplePayload = PayloadOf<typeof sample>;

export interface SampleBench {
  readonly store: LocalObjectStore;
  /** Where the run's temporary directory is made. */
  readonly tempParent: string;
  readonly progress: ProgressUpdate[];
  readonly warnings: string[];
  /** What the settling transaction would have written so far. */
  readonly artifacts: ArtifactRecord[];
  run(payload?: Partial<SamplePayload>, overrides?: Partial<GivenContext<SamplePayload>>): Promise<Outcome>;
  /** Runs to its result and the manifest as it is in the store. */
  make(
    payload?: Partial<SamplePayload>,
  ): Promise<{ readonly result: SampleResult; readonly manifest: FrameManifest }>;
}

/**
 * A real store and real programs around the sampler; of the platform only what a handler sees is stood in
 * for.
 */
export async function makeSampleBench(
  media: FoundMediaTools,
  sourcePath: string | null,
): Promise<SampleBench> {
  const directory = await makeTempDir();
  const store = await openLocalStore(join(directory, 'store'));
  const key = originalKey(VIDEO_ID);
  if (sourcePath !== null) await store.put(key, { stream: createReadStream(sourcePath) });
  const bench: SampleBench = {
    store,
    tempParent: join(directory, 'temp'),
    progress: [],
    warnings: [],
    artifacts: [],
    async run(payload = {}, overrides = {}) {
      await using temp = await makeJobDirectory(bench.tempParent);
      const outcome = await createSample(LIMITS)(
        handlerContext<SamplePayload>({
          definitionKey: sample.key,
          payload: {
            video_id: VIDEO_ID,
            s3_original_path: key,
            target_fps: 10,
            dedupe_threshold: 0.95,
            ...payload,
          },
          subject: { type: 'video', id: VIDEO_ID },
          log: { debug() {}, info() {}, warn: (message) => bench.warnings.push(message), error() {} },
          tools: { storage: store, tempDir: async () => temp.path },
          own: { media },
          artifacts: { find: async () => bench.artifacts },
          progress: (update) => bench.progress.push(update),
          ...overrides,
        }),
      );
      if (outcome.kind === 'done') {
        const keys = new Set(outcome.artifacts.map((row) => row.key));
        const others = bench.artifacts.filter((row) => !keys.has(row.key));
        bench.artifacts.splice(0, bench.artifacts.length, ...others, ...outcome.artifacts);
      }
      return outcome;
    },
    async make(payload = {}) {
      const outcome = await bench.run(payload);
      if (outcome.kind !== 'done') throw new Error(`The sampler ended as ${outcome.kind}`);
      const { stream } = await store.get(frameManifestKey(VIDEO_ID));
      return { result: outcome.result as SampleResult, manifest: (await json(stream)) as FrameManifest };
    },
  };
  return bench;
}
