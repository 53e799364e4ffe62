import { PermanentError } from '../../../src/core/errors.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';
import { chooseAudio, chooseVideo, type StreamAmount } from '../../tools/choose-streams.ts';
import { checkPictureSize } from '../../tools/ffprobe.ts';
import { VIDEO_FORMATS } from '../../tools/media-formats.ts';
import type { ProbedMedia, VideoStream } from '../../tools/media-info.ts';
import { refersOutside } from '../../tools/mp4-references.ts';
import type { StreamExtent } from '../../tools/packet-times.ts';
import { type Survey, surveyStreams } from '../../tools/stream-survey.ts';
import { checkDuration, encodeTimeoutMs, STALL_TIMEOUT_MS, type TranscodeLimits } from './limits.ts';
import { noVideo, sourceDamaged, TOLERANCE_RATIO, toleranceOf } from './source-errors.ts';
import type { MeasuredSource } from './video-source.ts';

/** More than this many streams of a kind are not looked at. */
const MAX_OF_A_KIND = 16;
/** Times that players do not show: sound is a little longer, the first picture a little late. */
const START_SECONDS = 0.1;
const END_SECONDS = 0.25;
/** Packets of sound are shorter than this. */
const MAX_SILENT_SECONDS = 0.5;
/** Gaps between pictures of one rate differ by the rounding of their times, at most. */
const STEADY_GAP = 1.6;
/** A rate over so few pictures says nothing. */
const MIN_PICTURES = 10;

/**
 * Measures a source: chooses the streams that people would watch, and how long they are, by what is in them.
 * @throws PermanentError `NotAVideo`, `PictureTooLarge`, `VideoTooLong`, `FrameRateTooHigh`, `ExternalMedia`,
 *   `SourceDamaged` for a file that says itself that there was more, and that reads as if it were cut off
 */
export async function measureSource(
  { tools, signal, log }: HandlerContext,
  media: MediaTools,
  path: string,
  info: ProbedMedia,
  limits: TranscodeLimits,
): Promise<MeasuredSource> {
  if (info.video === null) throw noVideo(info);
  const videos = info.videos.slice(0, MAX_OF_A_KIND);
  const audios = info.audios.slice(0, MAX_OF_A_KIND);
  const pictureIndexes = new Set(videos.map(({ index }) => index));
  const survey = await surveyStreams({
    media,
    path,
    formats: VIDEO_FORMATS,
    indexes: [...videos, ...audios].map(({ index }) => index),
    cwd: await tools.tempDir(),
    timeoutMs: encodeTimeoutMs(info.durationSeconds, limits),
    stallTimeoutMs: STALL_TIMEOUT_MS,
    signal,
    onRead(index, soFar) {
      if (soFar.endSeconds - 1 > limits.maxVideoSeconds)
        checkDuration(Math.max(soFar.endSeconds, info.durationSeconds ?? 0), limits);
      const mostPictures = media.limits.maxFps * (limits.maxVideoSeconds + 1);
      if (pictureIndexes.has(index) && soFar.count > mostPictures)
        throw frameRateTooHigh(soFar, media.limits.maxFps);
    },
  });
  if (survey.streams.size < videos.length + audios.length && (await isElsewhere(path, info)))
    throw new PermanentError(
      'ExternalMedia',
      'The file only refers to pictures or sound in other files; allowed: a file that contains them',
    );
  checkWhole(info, survey);
  for (const stream of videos) checkIndexed(info, stream, survey);

  const amountOf = ({ index }: { readonly index: number }): StreamAmount => {
    const extent = survey.streams.get(index);
    return extent === undefined
      ? { count: 0, seconds: 0 }
      : { count: extent.count, seconds: extent.endSeconds - extent.startSeconds };
  };
  const isThere = ({ index }: { readonly index: number }) => survey.streams.has(index);
  const video = chooseVideo(videos.filter(isThere), amountOf);
  const audio = chooseAudio(audios.filter(isThere), amountOf);
  const pictures = video === null ? undefined : survey.streams.get(video.index);
  if (video === null || pictures === undefined)
    throw new PermanentError('NotAVideo', 'The file has no picture in its video stream');
  checkPictureSize(video, media.limits);
  checkRate(pictures, media.limits.maxFps);

  const sound = audio === null ? undefined : survey.streams.get(audio.index);
  const endSeconds = Math.max(pictures.endSeconds, sound?.endSeconds ?? 0);
  const durationSeconds = isAbout(info.durationSeconds, endSeconds) ? info.durationSeconds : endSeconds;
  if (info.durationSeconds !== null && durationSeconds !== info.durationSeconds)
    log.info('The file is not as long as it says', { saysSeconds: info.durationSeconds, endSeconds });
  const { videos: _videos, audios: _audios, streamCount: _count, ...rest } = info;
  const measured = measuredVideo(video, pictures);
  return {
    path,
    info: { ...rest, durationSeconds, video: measured, audio },
    video: measured,
    timing: {
      startSeconds: pictures.startSeconds,
      pictureEndSeconds: pictures.endSeconds,
      endSeconds: durationSeconds,
      isSteady: isSteady(measured, pictures, endSeconds),
      soundHasHoles: sound !== undefined && hasHoles(sound),
    },
  };
}

/**
 * Where the head of the file claims more than was read, the file's own faults say which of the two to
 * believe.
 */
function checkWhole({ durationSeconds }: ProbedMedia, { streams, complaints }: Survey): void {
  const readSeconds = Math.max(0, ...[...streams.values()].map(({ endSeconds }) => endSeconds));
  if (durationSeconds === null || complaints === '') return;
  if (readSeconds < durationSeconds - toleranceOf(durationSeconds))
    throw sourceDamaged(readSeconds, durationSeconds, complaints);
}

async function isElsewhere(path: string, { formatName }: ProbedMedia): Promise<boolean> {
  return formatName.split(',').includes('mp4') && (await refersOutside(path));
}

/** The index of an MP4 counts its pictures, one by one: where there are fewer, the file ends early. */
function checkIndexed(
  { formatName }: ProbedMedia,
  { index, frameCount, durationSeconds }: VideoStream,
  { streams, complaints }: Survey,
): void {
  const read = streams.get(index);
  if (!formatName.split(',').includes('mp4') || frameCount === null || durationSeconds === null) return;
  const missing = (1 - (read?.count ?? 0) / frameCount) * durationSeconds;
  if (missing > toleranceOf(durationSeconds))
    throw sourceDamaged(durationSeconds - missing, durationSeconds, complaints);
}

function checkRate(pictures: StreamExtent, maxFps: number): void {
  const { count, perSecond } = pictures;
  if (count > MIN_PICTURES && (perSecond === null || perSecond > maxFps * (1 + TOLERANCE_RATIO)))
    throw frameRateTooHigh(pictures, maxFps);
}

function frameRateTooHigh({ perSecond, count }: StreamExtent, maxFps: number): PermanentError {
  const shown =
    perSecond === null ? `${count} pictures at one time` : `${Math.ceil(perSecond)} pictures a second`;
  return new PermanentError('FrameRateTooHigh', `The video has ${shown}; allowed: ${maxFps} a second`);
}

/** What the file says of its rate is kept where it is about right: it is exact, where times are rounded. */
function measuredVideo(
  video: VideoStream,
  { perSecond, startSeconds, endSeconds, count }: StreamExtent,
): VideoStream {
  const isRight = video.fps !== null && (perSecond === null || Math.abs(video.fps / perSecond - 1) < 0.02);
  return {
    ...video,
    fps: isRight ? video.fps : perSecond,
    frameCount: count,
    durationSeconds: endSeconds - startSeconds,
  };
}

function isSteady({ fps }: VideoStream, pictures: StreamExtent, endSeconds: number): boolean {
  return (
    pictures.startSeconds <= START_SECONDS &&
    endSeconds - pictures.endSeconds <= END_SECONDS &&
    (fps === null || pictures.maxGapSeconds <= STEADY_GAP / fps)
  );
}

function hasHoles({ startSeconds, maxGapSeconds }: StreamExtent): boolean {
  return startSeconds > START_SECONDS || maxGapSeconds > MAX_SILENT_SECONDS;
}

/** Heads leave out what a player does not play of the last packet of sound. */
function isAbout(saidSeconds: number | null, readSeconds: number): saidSeconds is number {
  return saidSeconds !== null && Math.abs(saidSeconds - readSeconds) <= END_SECONDS;
}
