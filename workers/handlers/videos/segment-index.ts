import type { PayloadOf } from '../../../src/core/definition.ts';
import { done } from '../../../src/core/outcome.ts';
import { DEFAULT_TARGET_FPS } from '../../../src/domains/videos/definitions/sample.ts';
import type { segmentIndex } from '../../../src/domains/videos/definitions/segment-index.ts';
import type { Handler } from '../../handler.ts';
import type { SegmentIndexOwn } from './own.ts';
import { MANIFEST_KIND, type ManifestMetadata } from './sample-published.ts';
import { videoOfJob } from './source.ts';

/**
 * How far apart readings of a text may be in one range, as a multiple of the time between two sampled
 * pictures. The times in which pictures are shown adjoin, so a text that stayed has no gap at all; with one
 * and a half, missing on a single sampled picture (a blurred one, a misread one) does not end it, and missing
 * on two does.
 */
const TOLERATED_INTERVALS = 1.5;

/**
 * The video system's contract, section 4: makes time ranges of what was read in the frames of a video, finds
 * entities in them and brings the search up to date. All of it is one transaction of the store, so that a run
 * that ends half-way leaves nothing behind.
 */
export function createSegmentIndex(): Handler<PayloadOf<typeof segmentIndex>, SegmentIndexOwn> {
  return async (context) => {
    videoOfJob(context.payload, context.subject);
    const [manifest] = await context.artifacts.find(MANIFEST_KIND);
    const { settings } = (manifest?.metadata ?? {}) as Partial<ManifestMetadata>;
    const targetFps = settings?.targetFps ?? DEFAULT_TARGET_FPS;
    const indexed = await context.own.segmentIndex.index({
      manifestId: manifest?.sha256 ?? null,
      toleranceMs: Math.round((1000 / targetFps) * TOLERATED_INTERVALS),
      onProgress: (percent, stage) => context.progress({ percent, stage }),
      signal: context.signal,
    });
    context.log.info('Indexed', { ...indexed });
    return done(indexed);
  };
}
