import type { PayloadOf } from '../../../src/core/definition.ts';
import { PermanentError } from '../../../src/core/errors.ts';
import { done, type Outcome } from '../../../src/core/outcome.ts';
import type { clipGenerate } from '../../../src/domains/clips/clip-generate.ts';
import type { ClipResult } from '../../../src/domains/clips/clip-pipeline.ts';
import { clipKey, originalPrefix } from '../../../src/storage/video-keys.ts';
import type { Handler, HandlerContext, MediaTools } from '../../handler.ts';
import type { FrameTimes } from '../../tools/frame-times.ts';
import { artifactOf } from '../videos/artifact-record.ts';
import { knownMedia } from '../videos/known-media.ts';
import type { TranscodeLimits } from '../videos/limits.ts';
import type { MediaOwn } from '../videos/own.ts';
import { identityOf, isIntact, isSameSource, type SourceIdentity } from '../videos/published.ts';
import { requireMedia } from '../videos/require-media.ts';
import { describeSource, sourceOf, statOriginal } from '../videos/source.ts';
import { openInput } from '../videos/source-input.ts';
import { clampRange, hasIndex, lookAtRange, lookBack, ownTimes, planCut } from './clip-cut.ts';
import { encodeClip, type MadeClip } from './clip-encode.ts';

type ClipPayload = PayloadOf<typeof clipGenerate>;

/** Kept with the clip's artifact: what it was made from, and what the handler returned. */
interface ClipMetadata extends Readonly<Record<string, unknown>> {
  readonly source: SourceIdentity;
  readonly result: ClipResult;
}

/**
 * The video system's contract, section 5: cuts a clip out of the original. Its file gets its fixed name last,
 * after a look at the lease.
 */
export function createClip(limits: TranscodeLimits): Handler<ClipPayload, MediaOwn> {
  return async (context) => {
    const { payload } = context;
    const key = keyOfPayload(payload, context.subject);
    context.progress({ stage: 'probe', percent: 0 });
    const original = await statOriginal(context, payload.s3_original_path, limits);
    const source = identityOf(original);
    const earlier = await findMade(context, key, source);
    if (earlier !== null) {
      context.log.info('An earlier run has made it');
      return earlier;
    }

    await using input = await openInput(context, original);
    try {
      const made = await make(context, input.path, source, limits);
      // A clip that is too short would look like one of a damaged file.
      input.check();
      return await publish(context, key, source, made.clip, made.startMs);
    } catch (error) {
      input.check();
      throw error;
    }
  };
}

/** Makes the clip that the payload asks for, of an original at a path or address. */
async function make(
  context: HandlerContext<ClipPayload, MediaOwn>,
  path: string,
  source: SourceIdentity,
  limits: TranscodeLimits,
): Promise<{ readonly clip: MadeClip; readonly startMs: number }> {
  const { payload, own, tools } = context;
  const media = requireMedia(own.media);
  const directory = await tools.tempDir();
  const known = await knownMedia(context, payload.video_id, source);
  // Beside the probe: either reads the file's whole index, which takes a tenth of a second of an hour's.
  const early = known === null ? lookEarly(context, media, path, directory) : null;
  // Both to their end: a program that is still at work has its directory.
  const [opened, looked] = await Promise.allSettled([
    known === null ? describeSource(context, media, path, limits) : sourceOf(path, known, limits),
    early,
  ]);
  if (opened.status === 'rejected') throw opened.reason;
  if (looked.status === 'rejected') throw looked.reason;
  const video = opened.value;
  const { durationSeconds } = video.info;
  const range = clampRange(payload, durationSeconds === null ? null : Math.floor(durationSeconds * 1000));
  const { index } = video.video;
  const back = hasIndex(video) ? null : await lookBack(context, media, path, range, directory, video.video);
  const times =
    back?.times ??
    (looked.value?.streamIndex === index
      ? looked.value.times
      : ((await ownTimes(video, range)) ??
        (await lookAtRange(context, media, path, range, directory, index)).times));
  const cut = planCut(times, video, range, payload.t_start, back);
  const clip = await encodeClip(context, { source: video, cut, media, limits, directory });
  return { clip, startMs: range.startMs };
}

/** Looks at the range, of which the end is not clamped yet. */
async function lookEarly(
  context: HandlerContext<ClipPayload, MediaOwn>,
  media: MediaTools,
  path: string,
  directory: string,
): Promise<FrameTimes | null> {
  const { payload } = context;
  // A range that cannot be is refused by what is known of the whole file, with its length in the message.
  if (payload.t_end <= payload.t_start) return null;
  return await lookAtRange(context, media, path, clampRange(payload, null), directory);
}

async function publish(
  context: HandlerContext,
  key: string,
  source: SourceIdentity,
  made: MadeClip,
  startMs: number,
): Promise<Outcome> {
  const { tools, signal } = context;
  context.progress({ stage: 'upload', percent: 97 });
  // From here to the end as little as possible may happen: a run that was overtaken must not get past the
  // fence.
  await context.fence();
  const stored = await tools.storage.put(key, { path: made.path }, { signal, contentType: 'video/mp4' });
  const result: ClipResult = {
    objectKey: key,
    sizeBytes: stored.sizeBytes,
    sha256: stored.sha256,
    startMs,
    endMs: startMs + made.lengthMs,
    widthPx: made.widthPx,
    heightPx: made.heightPx,
  };
  context.progress({ stage: 'upload', percent: 100, etaSeconds: 0 });
  const metadata: ClipMetadata = { source, result };
  return done(result, [artifactOf('clip', stored, metadata)]);
}

/** What an earlier run has made of this very source, if it is still in the store, unchanged. */
async function findMade(
  { artifacts, tools }: HandlerContext,
  key: string,
  source: SourceIdentity,
): Promise<Outcome | null> {
  const artifact = (await artifacts.find('clip')).find((row) => row.key === key);
  const metadata = artifact?.metadata as Partial<ClipMetadata> | undefined;
  if (artifact === undefined || metadata?.result === undefined) return null;
  if (!isSameSource(metadata.source, source) || !(await isIntact(artifact, tools.storage))) return null;
  return done(metadata.result, [artifact]);
}

/**
 * The key of the clip that a payload is about.
 * @throws PermanentError `InvalidPayload` when payload, subject and key disagree: keys don't carry the
 *   tenant, so a job must not be talked into cutting the original of a video other than its own
 */
function keyOfPayload(payload: ClipPayload, subject: HandlerContext['subject']): string {
  const clipId = payload.clip_id.toLowerCase();
  if (subject?.type !== 'clip' || subject.id.toLowerCase() !== clipId) {
    throw new PermanentError(
      'InvalidPayload',
      `clip_id is ${clipId}, but the job's subject is ${subject?.type ?? 'none'} ${subject?.id ?? ''}`,
    );
  }
  const prefix = originalPrefix(payload.video_id);
  if (!payload.s3_original_path.startsWith(prefix)) {
    throw new PermanentError(
      'InvalidPayload',
      `s3_original_path is ${payload.s3_original_path}; allowed: a key below ${prefix}`,
    );
  }
  return clipKey(payload.video_id, clipId);
}
