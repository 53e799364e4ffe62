import { flag, integer, optionalText } from './settings.ts';

const ANY = /[\s\S]/;

/** Which media programs are used, and how much one file may ask of them. */
export const MEDIA_SETTINGS = {
  maxVideoSeconds: integer(
    'MILLRACE_MAX_VIDEO_SECONDS',
    'Longest video that is taken.',
    6 * 3600,
    1,
    604_800,
  ),
  maxVideoPixels: integer(
    'MILLRACE_MAX_VIDEO_PIXELS',
    'Pixels of the largest picture that is decoded, width times height: of a video, and of a frame whose texts are read. Memory goes by it.',
    8192 * 4320,
    256 * 256,
    2 ** 28,
  ),
  maxVideoFps: integer(
    'MILLRACE_MAX_VIDEO_FPS',
    'Most pictures a second that a video may have on average.',
    240,
    1,
    1000,
  ),
  maxVideoStreams: integer(
    'MILLRACE_MAX_VIDEO_STREAMS',
    'Most streams (pictures, sound, subtitles, attachments) that a file may have.',
    100,
    1,
    1000,
  ),
  ffmpegThreads: integer(
    'MILLRACE_FFMPEG_THREADS',
    'Threads at most of each decoder, filter and encoder of an ffmpeg; never more than there are processors. Memory goes by it, too.',
    4,
    1,
    256,
  ),
  ffmpegPath: optionalText(
    'FFMPEG_PATH',
    'ffmpeg to use; otherwise version 5 or newer on PATH, otherwise the one from npm where it is allowed.',
    ANY,
    'a path',
  ),
  ffprobePath: optionalText('FFPROBE_PATH', 'ffprobe to use.', ANY, 'a path'),
  allowNpmFfmpeg: flag(
    'MILLRACE_ALLOW_NPM_FFMPEG',
    "Uses npm's ffmpeg and ffprobe where there are no others. They are of 2018 and get no security updates: not for files of strangers.",
    true,
    false,
  ),
} as const;
