import { PermanentError } from '../../../src/core/errors.ts';
import type { Storyboard } from '../../../src/domains/videos/pipeline/frame-manifest.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';
import { frameArgs, frameSize } from '../../tools/frame-args.ts';
import { streamFrames } from '../../tools/frame-stream.ts';
import { VIDEO_FORMATS } from '../../tools/media-formats.ts';
import { type ChosenFrame, FrameSelector, type FrameSelectorOptions } from './frame-selection.ts';
import { checkDuration, encodeTimeoutMs, STALL_TIMEOUT_MS, type TranscodeLimits } from './limits.ts';
import { logComplaints } from './log-complaints.ts';
import { StoryboardMaker } from './sample-storyboard.ts';
import { FrameUploader, putSprite, type UploadedFrame } from './sample-uploader.ts';
import type { VideoSource } from './source.ts';

export interface SampleOptions {
  readonly videoId: string;
  readonly source: VideoSource;
  readonly media: MediaTools;
  readonly limits: TranscodeLimits;
  readonly settings: FrameSelectorOptions;
  readonly directory: string;
}

export interface SampledVideo {
  readonly selector: FrameSelector;
  readonly uploaded: ReadonlyMap<number, UploadedFrame>;
  readonly storyboard: Storyboard;
  /** The storyboard's pictures, in order. */
  readonly sprites: readonly StoredObject[];
  readonly durationMs: number;
}

/** Share of the whole that the pictures take. */
const SAMPLED_PERCENT = 98;
/** A new picture of how far it is; each is a signature for every subscriber. */
const PREVIEW_MS = 2000;
const PROGRESS_MS = 250;

/**
 * Looks at the pictures of a video and uploads those that differ, while it looks on.
 * @throws PermanentError `NotAVideo` when not one picture could be decoded, `VideoTooLong`; MediaToolError
 */
export async function sampleFrames(
  context: HandlerContext,
  { videoId, source, media, limits, settings, directory }: SampleOptions,
): Promise<SampledVideo> {
  const { info, video, path } = source;
  const selector = new FrameSelector(settings);
  const uploader = new FrameUploader(context.tools.storage, videoId, context.signal);
  const sprites: StoredObject[] = [];
  const storyboard = new StoryboardMaker({
    media,
    size: frameSize(video),
    directory,
    signal: context.signal,
    async put(jpeg) {
      const { name, stored } = await putSprite(context.tools.storage, videoId, jpeg, context.signal);
      sprites.push(stored);
      return name;
    },
  });
  const keep = async (frame: ChosenFrame): Promise<void> => {
    await uploader.add(frame);
    await storyboard.add(frame);
  };
  const report = reporter(context, info.durationSeconds);
  try {
    const complaints = await streamFrames({
      ffmpegPath: media.ffmpegPath,
      args: frameArgs(
        { inputPath: path, formats: VIDEO_FORMATS, video, targetFps: settings.targetFps },
        media,
      ),
      cwd: directory,
      timeoutMs: encodeTimeoutMs(info.durationSeconds, limits),
      stallTimeoutMs: STALL_TIMEOUT_MS,
      signal: context.signal,
      async onFrame({ seconds, cells, jpeg }) {
        if (info.durationSeconds === null) checkDuration(seconds, limits);
        const chosen = selector.push({ tMs: Math.max(0, Math.round(seconds * 1000)), cells, jpeg });
        uploader.check();
        if (chosen !== null) await keep(chosen);
        report(seconds, uploader.newestKey);
      },
    });
    logComplaints(context.log, complaints);
    if (selector.sampledCount === 0)
      throw new PermanentError('NotAVideo', 'Not one picture of the file could be decoded');
    const durationMs = endOf(selector, source, settings);
    const last = selector.finish(durationMs);
    if (last !== null) await keep(last);
    const uploaded = await uploader.finish();
    return { selector, uploaded, storyboard: await storyboard.finish(), sprites, durationMs };
  } finally {
    // Nothing of a run may go on behind its end.
    await uploader.settle();
    await storyboard.settle();
  }
}

/** A player holds the last picture up to the end of the file, whose sound may be longer. */
function endOf(
  { lastMs }: FrameSelector,
  { info, video }: VideoSource,
  { targetFps }: FrameSelectorOptions,
): number {
  const pictureMs = 1000 / (video.fps ?? targetFps);
  const statedMs = info.durationSeconds === null ? lastMs + pictureMs : info.durationSeconds * 1000;
  return Math.max(Math.round(statedMs), lastMs + 1);
}

function reporter(
  context: HandlerContext,
  durationSeconds: number | null,
): (seconds: number, newestKey: string | null) => void {
  let [reportedMs, previewMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let shown: string | null = null;
  return (seconds, newestKey) => {
    const now = performance.now();
    if (now - reportedMs < PROGRESS_MS) return;
    reportedMs = now;
    const percent =
      durationSeconds === null
        ? null
        : 1 + Math.floor(Math.min(1, seconds / durationSeconds) * (SAMPLED_PERCENT - 1));
    const isNew = newestKey !== null && newestKey !== shown && now - previewMs >= PREVIEW_MS;
    if (isNew) [previewMs, shown] = [now, newestKey];
    context.progress({ stage: 'sample', percent, ...(isNew && { preview: newestKey }) });
  };
}
