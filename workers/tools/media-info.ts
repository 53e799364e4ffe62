import { parseJson } from '../../src/core/parse-json.ts';
import { chooseAudio, chooseVideo } from './choose-streams.ts';

/** What a file says of its colours, by ffmpeg's names; null where it says nothing. */
export interface VideoColor {
  readonly transfer: string | null;
  readonly primaries: string | null;
  readonly matrix: string | null;
  readonly range: string | null;
}

/** The picture stream of a file; cover art never is one. */
export interface VideoStream {
  /** Stream index for `-map 0:<index>`. */
  readonly index: number;
  readonly codec: string;
  /** As coded. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** As shown: rotated, with square pixels. */
  readonly displayWidthPx: number;
  readonly displayHeightPx: number;
  /** Clockwise turn that makes it upright: 0, 90, 180 or 270. */
  readonly rotationDegrees: number;
  /** Average frames a second; null where the file doesn't state it. */
  readonly fps: number | null;
  /** As the file counts them; null where it doesn't. */
  readonly frameCount: number | null;
  /** Marked as the one to play where there are several. */
  readonly isDefault: boolean;
  /**
   * May have pictures of two fields each, taken one after the other; which ones is known when they are
   * decoded.
   */
  readonly interlaced: boolean;
  readonly durationSeconds: number | null;
  readonly pixelFormat: string | null;
  readonly color: VideoColor;
  /** PQ or HLG: must be tone-mapped for ordinary screens. */
  readonly hdr: boolean;
}

export interface AudioStream {
  readonly index: number;
  readonly codec: string;
  readonly sampleRateHz: number | null;
  readonly channels: number | null;
  readonly durationSeconds: number | null;
  readonly isDefault: boolean;
}

/** What ffprobe said about a file. */
export interface MediaInfo {
  /** ffmpeg's demuxer name, e.g. `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly formatName: string;
  /** Null for e.g. a browser's recording, whose length was not known when its head was written. */
  readonly durationSeconds: number | null;
  /** First time stamp of any stream; null where it states none. */
  readonly startSeconds: number | null;
  readonly sizeBytes: number | null;
  readonly video: VideoStream | null;
  readonly audio: AudioStream | null;
  /** A picture is attached as cover art. */
  readonly coverArt: boolean;
}

/**
 * The same with every stream that could be played, of which `video` and `audio` are chosen by what the file
 * says of itself.
 */
export interface ProbedMedia extends MediaInfo {
  readonly videos: readonly VideoStream[];
  readonly audios: readonly AudioStream[];
  /** Streams of any kind. */
  readonly streamCount: number;
}

/** Codecs of pictures that may be interlaced without their file saying so. */
const FIELD_CODECS = new Set(['mpeg2video', 'h264', 'vc1', 'dvvideo', 'mpeg4', 'prores', 'dnxhd', 'mjpeg']);
const INTERLACED = new Set(['tt', 'bb', 'tb', 'bt']);

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the JSON of `ffprobe -show_format -show_streams` (any version).
 * @throws SyntaxError when it is no JSON, Error when it has no format
 */
export function parseMediaInfo(json: string): ProbedMedia {
  const root = object(parseJson(json));
  const format = object(root['format']);
  const formatName = text(format['format_name']);
  if (formatName === null) throw new Error('ffprobe reported no format');
  const streams = Array.isArray(root['streams']) ? root['streams'].map(object) : [];
  const pictures = streams.filter((stream) => stream['codec_type'] === 'video');
  const videos = pictures
    .filter((stream) => !isAttachedPicture(stream) && isDecodable(stream))
    .map(videoStream)
    .filter((stream) => stream !== null);
  // Newer phones add spatial audio that no ffmpeg decodes (codec unknown) beside the plain track.
  const audios = streams
    .filter((stream) => stream['codec_type'] === 'audio' && isDecodable(stream))
    .map(audioStream);
  return {
    formatName,
    durationSeconds: positive(format['duration']),
    startSeconds: finite(format['start_time']),
    sizeBytes: positive(format['size']),
    video: chooseVideo(videos, (stream) => ({ count: stream.frameCount, seconds: stream.durationSeconds })),
    audio: chooseAudio(audios, (stream) => ({ count: null, seconds: stream.durationSeconds })),
    coverArt: pictures.some(isAttachedPicture),
    videos,
    audios,
    streamCount: streams.length,
  };
}

function videoStream(stream: Json): VideoStream | null {
  const widthPx = positive(stream['width']);
  const heightPx = positive(stream['height']);
  if (widthPx === null || heightPx === null) return null;
  const rotationDegrees = rotationOf(stream);
  const shownWidthPx = Math.max(1, Math.round(widthPx * pixelAspect(stream)));
  const turned = rotationDegrees % 180 !== 0;
  return {
    index: Number(stream['index']),
    codec: text(stream['codec_name']) ?? 'unknown',
    widthPx,
    heightPx,
    displayWidthPx: turned ? heightPx : shownWidthPx,
    displayHeightPx: turned ? shownWidthPx : heightPx,
    rotationDegrees,
    fps: framesPerSecond(stream),
    frameCount: positive(stream['nb_frames']),
    isDefault: isDefault(stream),
    interlaced: mayBeInterlaced(stream),
    durationSeconds: positive(stream['duration']),
    pixelFormat: text(stream['pix_fmt']),
    color: {
      transfer: known(stream['color_transfer']),
      primaries: known(stream['color_primaries']),
      matrix: known(stream['color_space']),
      range: known(stream['color_range']),
    },
    hdr: stream['color_transfer'] === 'smpte2084' || stream['color_transfer'] === 'arib-std-b67',
  };
}

/**
 * The average. The other rate, the finest one that fits all time stamps, is 1000 for many a browser's
 * recording.
 */
function framesPerSecond(stream: Json): number | null {
  const average = ratio(stream['avg_frame_rate']);
  const finest = ratio(stream['r_frame_rate']);
  return average ?? (finest !== null && finest <= 120 ? finest : null);
}

function audioStream(stream: Json): AudioStream {
  return {
    index: Number(stream['index']),
    codec: text(stream['codec_name']) ?? 'unknown',
    sampleRateHz: positive(stream['sample_rate']),
    channels: positive(stream['channels']),
    durationSeconds: positive(stream['duration']),
    isDefault: isDefault(stream),
  };
}

function isDefault(stream: Json): boolean {
  return object(stream['disposition'])['default'] === 1;
}

function mayBeInterlaced(stream: Json): boolean {
  const order = known(stream['field_order']);
  if (order === null) return FIELD_CODECS.has(text(stream['codec_name']) ?? '');
  return INTERLACED.has(order);
}

function isAttachedPicture(stream: Json): boolean {
  const disposition = object(stream['disposition']);
  return disposition['attached_pic'] === 1 || disposition['timed_thumbnails'] === 1;
}

function isDecodable(stream: Json): boolean {
  const codec = text(stream['codec_name']);
  return codec !== null && codec !== 'none' && codec !== 'unknown';
}

/**
 * Side data has the counter-clockwise angle of the display matrix, the old `rotate` tag the clockwise one.
 */
function rotationOf(stream: Json): number {
  const sideData = Array.isArray(stream['side_data_list']) ? stream['side_data_list'].map(object) : [];
  const matrix = sideData.map((data) => Number(data['rotation'])).find(Number.isFinite);
  const degrees = matrix === undefined ? Number(object(stream['tags'])['rotate'] ?? 0) : -matrix;
  if (!Number.isFinite(degrees)) return 0;
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
}

/** Width of a pixel over its height; 1 where unknown or absurd. */
function pixelAspect(stream: Json): number {
  const aspect = ratio(stream['sample_aspect_ratio'], ':');
  return aspect !== null && aspect > 0.1 && aspect < 10 ? aspect : 1;
}

function ratio(value: unknown, separator = '/'): number | null {
  const [above, below] = (text(value) ?? '').split(separator).map(Number);
  return above !== undefined && below !== undefined && above > 0 && below > 0 ? above / below : null;
}

function finite(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function positive(value: unknown): number | null {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number > 0 ? number : null;
}

/** The older ffprobe omits what it does not know, the newer one says so. */
function known(value: unknown): string | null {
  const name = text(value);
  return name === 'unknown' || name === 'unspecified' || name === 'reserved' ? null : name;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
