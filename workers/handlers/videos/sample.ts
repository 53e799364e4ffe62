import type { PayloadOf } from '../../../src/core/definition.ts';
import { done, type Outcome } from '../../../src/core/outcome.ts';
import { MAX_LISTED_FRAMES } from '../../../src/domains/videos/definitions/ocr.ts';
import {
  DEFAULT_MAX_FRAMES_PER_MINUTE,
  type sample,
} from '../../../src/domains/videos/definitions/sample.ts';
import type { FrameManifest, KeptFrame } from '../../../src/domains/videos/pipeline/frame-manifest.ts';
import type { SampleResult } from '../../../src/domains/videos/pipeline/stage-results.ts';
import { storyboardTrack } from '../../../src/domains/videos/pipeline/storyboard-track.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import { frameManifestKey, storyboardKey } from '../../../src/storage/video-keys.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import { frameSize } from '../../tools/frame-args.ts';
import { artifactOf } from './artifact-record.ts';
import type { FrameSelectorOptions } from './frame-selection.ts';
import type { TranscodeLimits } from './limits.ts';
import type { MediaOwn } from './own.ts';
import { identityOf, type SourceIdentity } from './published.ts';
import { requireMedia } from './require-media.ts';
import { type SampledVideo, sampleFrames } from './sample-frames.ts';
import {
  FRAME_KIND,
  findPublishedFrames,
  MANIFEST_KIND,
  type ManifestMetadata,
  SPRITE_KIND,
  STORYBOARD_KIND,
} from './sample-published.ts';
import { openSource, statOriginal, type VideoSource, videoOfPayload } from './source.ts';

type SamplePayload = PayloadOf<typeof sample>;

/** What a run is about. */
interface Sampling {
  readonly videoId: string;
  readonly identity: SourceIdentity;
  readonly settings: FrameSelectorOptions;
}

/**
 * The video system's contract, section 2: keeps the pictures of an original that differ. Frames have fixed
 * names and, of the same source, the same bytes, so they are uploaded on the way; the manifest, which says
 * which of them count, gets its name last, after a look at the lease.
 */
export function createSample(limits: TranscodeLimits): Handler<SamplePayload, MediaOwn> {
  return async (context) => {
    const { payload, own, tools } = context;
    const videoId = videoOfPayload(payload, context.subject);
    const settings = settingsOf(payload);
    context.progress({ stage: 'probe', percent: 0 });
    const identity = identityOf(await statOriginal(context, payload.s3_original_path, limits));
    const artifacts = await context.artifacts.find();
    const earlier = await findPublishedFrames(videoId, identity, settings, artifacts, tools.storage);
    if (earlier !== null) {
      context.log.info('An earlier run has kept the same frames');
      return done(earlier.result, earlier.artifacts);
    }

    const media = requireMedia(own.media);
    const source = await openSource(context, media, payload.s3_original_path, limits);
    const directory = await tools.tempDir();
    const sampled = await sampleFrames(context, { videoId, source, media, limits, settings, directory });
    return await publish(context, { videoId, identity, settings }, source, sampled);
  };
}

async function publish(
  context: HandlerContext,
  { videoId, identity, settings }: Sampling,
  source: VideoSource,
  sampled: SampledVideo,
): Promise<Outcome> {
  const { tools, signal } = context;
  const manifest = manifestOf({ videoId, identity, settings }, source, sampled);
  const result = resultOf(manifest);
  if (result.droppedCount > 0) {
    context.log.warn('More pictures differ than a minute may have frames: some are left out', {
      droppedCount: result.droppedCount,
      maxFramesPerMinute: result.maxFramesPerMinute,
      minutes: manifest.capped.length,
    });
  }
  context.progress({ stage: 'upload', percent: 98 });
  // From here to the end as little as possible may happen: a run that was overtaken must not get past the
  // fence.
  await context.fence();
  const track = storyboardTrack(manifest.frames, sampled.storyboard);
  const storyboard = await putBytes(tools.storage, storyboardKey(videoId), track, {
    signal,
    contentType: 'text/vtt; charset=utf-8',
  });
  const stored = await putBytes(tools.storage, result.manifestKey, JSON.stringify(manifest), {
    signal,
    contentType: 'application/json',
  });
  const metadata: ManifestMetadata = { source: identity, settings, result };
  const frames = manifest.frames.flatMap(({ tMs }) => sampled.uploaded.get(tMs) ?? []);
  const preview = frames.at(-1)?.stored.key;
  context.progress({ stage: 'upload', percent: 100, etaSeconds: 0, ...(preview && { preview }) });
  return done(result, [
    ...frames.map((frame) => artifactOf(FRAME_KIND, frame.stored)),
    // Pictures that are the same are one file.
    ...new Map(sampled.sprites.map((sprite) => [sprite.key, artifactOf(SPRITE_KIND, sprite)])).values(),
    artifactOf(STORYBOARD_KIND, storyboard),
    artifactOf(MANIFEST_KIND, stored, metadata),
  ]);
}

function manifestOf(
  { videoId, identity, settings }: Sampling,
  { video }: VideoSource,
  { selector, uploaded, storyboard, durationMs }: SampledVideo,
): FrameManifest {
  const size = frameSize(video);
  const frames = selector.frames.map(({ tMs, meanLuma, spans }): KeptFrame => {
    const stored = uploaded.get(tMs);
    if (stored === undefined) throw new Error(`The frame of ${tMs} ms is not in the store`);
    return { tMs, sizeBytes: stored.sizeBytes, sha256: stored.sha256, meanLuma, spans };
  });
  return {
    version: 1,
    videoId,
    source: { key: identity.key, sizeBytes: identity.sizeBytes, sha256: identity.sha256 },
    widthPx: video.displayWidthPx,
    heightPx: video.displayHeightPx,
    frameWidthPx: size.widthPx,
    frameHeightPx: size.heightPx,
    ...settings,
    sampledCount: selector.sampledCount,
    durationMs,
    frames,
    capped: selector.capped,
    storyboard,
  };
}

function resultOf({
  videoId,
  frames,
  sampledCount,
  capped,
  maxFramesPerMinute,
}: FrameManifest): SampleResult {
  return {
    manifestKey: frameManifestKey(videoId),
    frameCount: frames.length,
    sampledCount,
    timesMs: frames.length <= MAX_LISTED_FRAMES ? frames.map(({ tMs }) => tMs) : null,
    droppedCount: capped.reduce((sum, { droppedCount }) => sum + droppedCount, 0),
    maxFramesPerMinute,
  };
}

function settingsOf(payload: SamplePayload): FrameSelectorOptions {
  return {
    targetFps: payload.target_fps,
    dedupeThreshold: payload.dedupe_threshold,
    maxFramesPerMinute: payload.max_frames_per_minute ?? DEFAULT_MAX_FRAMES_PER_MINUTE,
  };
}
