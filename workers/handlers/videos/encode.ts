import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PermanentError, toError } from '../../../src/core/errors.ts';
import { type HlsPlaylist, parseHlsPlaylist } from '../../../src/storage/hls-playlist.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';
import { proxyPrefix, renditionPlaylistName } from '../../../src/storage/video-keys.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';
import { decodedTimesReader } from '../../tools/decoded-times.ts';
import { checkDiskSpace } from '../../tools/disk-space.ts';
import { runFfmpeg } from '../../tools/ffmpeg.ts';
import type { FfmpegProgress } from '../../tools/ffmpeg-progress.ts';
import { hlsArgs, TIMES_BASE } from '../../tools/hls-args.ts';
import { ladderOf, type Rendition } from '../../tools/ladder.ts';
import { MediaToolError } from '../../tools/media-error.ts';
import { VIDEO_FORMATS } from '../../tools/media-formats.ts';
import { POSTER_NAME } from '../../tools/poster-args.ts';
import { checkDuration, encodeTimeoutMs, STALL_TIMEOUT_MS, type TranscodeLimits } from './limits.ts';
import { logComplaints } from './log-complaints.ts';
import { SegmentUploader, type UploadedRendition } from './segment-uploader.ts';
import { StreamPlaylists } from './stream-playlists.ts';
import { verifyHls, withTrueEnd } from './verify-hls.ts';
import type { MeasuredSource } from './video-source.ts';

/** A verified stream: its segments are in the store, poster and playlist still on this machine only. */
export interface EncodedStream {
  /** The best rendition first. */
  readonly renditions: readonly UploadedRendition[];
  /** Playlists of the renditions, in the store; none where there is but one rendition. */
  readonly renditionPlaylists: readonly StoredObject[];
  /** What becomes `index.m3u8`. */
  readonly playlistPath: string;
  readonly posterPath: string;
  /** There is a playlist of what was made so far, which its viewers were led to. */
  readonly isWatchable: boolean;
}

export interface EncodeOptions {
  readonly videoId: string;
  readonly generation: number;
  readonly source: MeasuredSource;
  readonly media: MediaTools;
  readonly limits: TranscodeLimits;
}

/** Share of the whole that the encoder's progress covers. */
const ENCODED_PERCENT = 95;

/**
 * Makes and verifies stream and poster. Segments are uploaded while the encoder is still running; so are
 * playlists with which they can be played. On failure, what this run has put into the store is
 * taken out again.
 */
export async function encode(context: HandlerContext, options: EncodeOptions): Promise<EncodedStream> {
  const directory = await context.tools.tempDir();
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const { storage } = context.tools;
  const { videoId, generation, source } = options;
  const renditions = ladderOf(source.video);
  const playlists = new StreamPlaylists({ storage, directory, videoId, generation, signal });

  let isWatchable = false;
  const uploader = new SegmentUploader({
    storage,
    directory,
    keyPrefix: proxyPrefix(videoId),
    generation,
    renditions,
    signal,
    onUploaded: async (uploaded) => {
      const preview = await playlists.grow(uploaded);
      if (preview === null) return;
      isWatchable = true;
      context.progress({ preview });
    },
    onFailure: (error) => failed.abort(error),
  });

  try {
    const onAdvance = () => {
      uploader.poke();
      checkDiskSpace(directory).catch((error: unknown) => failed.abort(toError(error)));
    };
    await checkDiskSpace(directory);
    const { complaints, decodedSeconds } = await runEncoder(context, options, directory, signal, onAdvance);
    logComplaints(context.log, complaints);
    const made = await Promise.all(
      renditions.map((rendition) => readPlaylist(directory, generation, rendition)),
    );
    const count = made.reduce((sum, { segments }) => sum + segments.length, 0);
    context.progress({ stage: 'upload', percent: ENCODED_PERCENT });
    await uploader.finish(made, (done) =>
      context.progress({ stage: 'upload', message: `${done} of ${count} segments` }),
    );
    context.progress({ stage: 'verify', percent: 97 });
    for (const [index, playlist] of made.entries()) {
      const stored = uploader.uploaded[index]?.segments.map((segment) => segment.stored) ?? [];
      verifyHls(playlist, stored, source.timing, decodedSeconds, complaints);
    }
    const { endSeconds } = source.timing;
    const uploaded = uploader.uploaded.map((rendition) => ({
      ...rendition,
      segments: withTrueEnd(rendition.segments, endSeconds),
    }));
    const { ofRenditions, index } = await playlists.finish(uploaded);
    const playlistPath = join(directory, 'index.m3u8');
    await writeFile(playlistPath, index);
    await checkDiskSpace(directory);
    return {
      renditions: uploaded,
      renditionPlaylists: ofRenditions,
      playlistPath,
      posterPath: join(directory, POSTER_NAME),
      isWatchable,
    };
  } catch (error) {
    failed.abort(toError(error));
    await uploader.settle();
    const segments = uploader.uploaded.flatMap((rendition) => rendition.segments.map(({ stored }) => stored));
    // Playlists first: a viewer is to miss the stream, not its parts.
    await removeFiles(context, [...playlists.written, ...segments]);
    throw error;
  }
}

async function runEncoder(
  context: HandlerContext,
  { source, media, limits, generation }: EncodeOptions,
  cwd: string,
  signal: AbortSignal,
  onAdvance: () => void,
): Promise<{ complaints: string; decodedSeconds: number }> {
  const { endSeconds: durationSeconds } = source.timing;
  const { pipes, times } = decodedTimesReader(TIMES_BASE);
  const complaints = await runFfmpeg({
    ffmpegPath: media.ffmpegPath,
    args: hlsArgs(
      {
        inputPath: source.path,
        info: source.info,
        video: source.video,
        generation,
        formats: VIDEO_FORMATS,
        timing: source.timing,
      },
      media,
    ),
    cwd,
    timeoutMs: encodeTimeoutMs(durationSeconds, limits),
    stallTimeoutMs: STALL_TIMEOUT_MS,
    signal,
    pipes,
    onProgress(progress) {
      // What is decoded may go on where packets have no times. A second more, as containers round.
      checkDuration(progress.outSeconds - 1, limits);
      context.progress({ stage: 'transcode', ...shareDone(progress, durationSeconds) });
      onAdvance();
    },
  });
  if (times.count === 0) throw new PermanentError('NotAVideo', 'No picture of the file could be decoded');
  const pictureSeconds = 1 / (source.video.fps ?? 1);
  return { complaints: withoutNoise(complaints), decodedSeconds: times.lastSeconds + pictureSeconds };
}

/**
 * npm's ffmpeg says so of every HLS output, and means nothing by it: what it writes is read with that in
 * mind.
 */
function withoutNoise(complaints: string): string {
  return complaints
    .split('\n')
    .filter((line) => !line.includes('Cannot use rename on non file protocol'))
    .join('\n');
}

/** Percent of the whole job and the time left. */
function shareDone(
  { outSeconds, speed }: FfmpegProgress,
  durationSeconds: number,
): { percent: number; etaSeconds: number | null } {
  const share = Math.min(1, outSeconds / durationSeconds);
  const etaSeconds = speed !== null && speed > 0 ? Math.ceil((durationSeconds * (1 - share)) / speed) : null;
  return { percent: 1 + Math.floor(share * (ENCODED_PERCENT - 1)), etaSeconds };
}

async function readPlaylist(
  directory: string,
  generation: number,
  rendition: Rendition,
): Promise<HlsPlaylist> {
  const path = join(directory, renditionPlaylistName(generation, rendition.name));
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new PermanentError('NotAVideo', 'No picture of the file could be decoded');
  });
  try {
    return parseHlsPlaylist(text);
  } catch (error) {
    throw new MediaToolError('failed', `ffmpeg wrote no proper playlist: ${toError(error).message}`);
  }
}

/**
 * Nothing names them yet, and no other run uses these names. What cannot be removed now is left to the
 * janitor.
 */
async function removeFiles({ tools, log }: HandlerContext, files: readonly StoredObject[]): Promise<void> {
  for (const { key } of files) {
    await tools.storage.delete(key).catch((error: unknown) => {
      log.warn('A file of a failed run was left in the store', { key, error: toError(error).message });
    });
  }
}
