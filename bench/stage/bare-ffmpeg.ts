import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { loadConfig } from '../../src/config/config.ts';
import type { MediaTools } from '../../workers/handler.ts';
import { clipArgs } from '../../workers/tools/clip-args.ts';
import { probe } from '../../workers/tools/ffprobe.ts';
import { hlsArgs } from '../../workers/tools/hls-args.ts';
import { MEDIA_ENVIRONMENT } from '../../workers/tools/media-environment.ts';
import { VIDEO_FORMATS } from '../../workers/tools/media-formats.ts';
import { findMediaTools } from '../../workers/tools/media-tools.ts';

/** The ffmpeg that a worker would use, called without anything around it. */
export interface BareFfmpeg {
  /** Where it is, and where from. */
  readonly description: string;
  /** Scales and repeats a video to `seconds` of 1080p at 30 frames a second. */
  makeSource(from: string, to: string, seconds: number): Promise<void>;
  /** The arguments of the transcode job for this video. */
  transcodeArguments(source: string): Promise<readonly string[]>;
  /** The arguments that decode a video and write ten pictures of it a second as JPEGs, into one file. */
  jpegArguments(source: string): readonly string[];
  /** For handlers that are called in this process. */
  readonly media: MediaTools;
  /** Repeats a video, without encoding it again, to N seconds. */
  lengthen(from: string, to: string, seconds: number): Promise<void>;
  /** The arguments of a clip job for this range of this video, into `clip.mp4`. */
  clipArguments(source: string, startSeconds: number, endSeconds: number): Promise<readonly string[]>;
  /** Runs it in a new directory. */
  run(args: readonly string[], directory: string): Promise<void>;
}

/** Finds it as a worker does. */
export async function openBareFfmpeg(cacheDir: string): Promise<BareFfmpeg> {
  const { ffmpegPath, ffprobePath, searchPath } = loadConfig({ PATH: process.env['PATH'] });
  const media = await findMediaTools({ ffmpegPath, ffprobePath, searchPath, cacheDir });
  const run = async (args: readonly string[], cwd: string): Promise<void> => {
    await mkdir(cwd, { recursive: true });
    const child = spawn(media.ffmpegPath, args, {
      cwd,
      env: { ...MEDIA_ENVIRONMENT },
      // The fourth takes the times of pictures that `hlsArgs` asks for. With 'ignore' nothing is open there.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    (child.stdio[3] as Readable).resume();
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${said}`);
  };
  return {
    description: `${media.ffmpegPath} (${media.ffmpeg.source})`,
    makeSource: async (from, to, seconds) => {
      const input = ['-stream_loop', '-1', '-i', from, '-t', String(seconds)];
      const scale = ['-vf', 'scale=1920:1080:flags=bicubic,fps=30', '-pix_fmt', 'yuv420p'];
      const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-c:a', 'aac', '-b:a', '128k'];
      await run(['-v', 'error', '-nostdin', '-y', ...input, ...scale, ...encode, to], cacheDir);
    },
    jpegArguments: (source) => [
      ...['-v', 'error', '-nostdin', '-y', '-i', source, '-an'],
      ...['-vf', 'fps=10,scale=out_range=full', '-pix_fmt', 'yuvj420p'],
      ...['-c:v', 'mjpeg', '-threads', '1', '-q:v', '3', '-f', 'mjpeg', 'frames.mjpeg'],
    ],
    media,
    lengthen: (from, to, seconds) =>
      run(
        [
          '-v',
          'error',
          '-nostdin',
          '-y',
          '-stream_loop',
          '-1',
          '-i',
          from,
          '-t',
          String(seconds),
          '-c',
          'copy',
          to,
        ],
        cacheDir,
      ),
    clipArguments: async (source, startSeconds, endSeconds) => {
      const info = await probe(source, { ffprobePath: media.ffprobePath, formats: VIDEO_FORMATS });
      if (info.video === null) throw new Error(`${source} has no video stream`);
      const cut = {
        seekSeconds: startSeconds,
        firstSeconds: startSeconds,
        startSeconds,
        endSeconds,
        constantFps: null,
      };
      const about = { inputPath: source, info, video: info.video, formats: VIDEO_FORMATS };
      return clipArgs({ ...about, cut, outputName: 'clip.mp4' }, media);
    },
    transcodeArguments: async (source) => {
      const info = await probe(source, { ffprobePath: media.ffprobePath, formats: VIDEO_FORMATS });
      if (info.video === null) throw new Error(`${source} has no video stream`);
      return hlsArgs(
        {
          inputPath: source,
          info,
          video: info.video,
          generation: 1,
          formats: VIDEO_FORMATS,
          timing: { endSeconds: info.durationSeconds ?? 0, isSteady: true, soundHasHoles: false },
        },
        media,
      );
    },
    run,
  };
}
