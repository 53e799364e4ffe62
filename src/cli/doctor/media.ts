import {
  type FoundMediaTools,
  findMediaTools,
  type MediaToolsOptions,
} from '../../../workers/tools/media-tools.ts';
import { runProcess } from '../../../workers/tools/process.ts';
import { toError } from '../../core/errors.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';

/** What the video jobs encode with. */
const ENCODERS = ['libx264', 'aac', 'mjpeg'] as const;
const FIX = 'Install ffmpeg 5 or newer (Debian: apt install ffmpeg), or set FFMPEG_PATH and FFPROBE_PATH.';

/** The media programs and what they can do. Without them only media jobs fail, which is a warning. */
export async function checkMedia(options: MediaToolsOptions): Promise<readonly Finding[]> {
  let found: FoundMediaTools;
  try {
    found = await findMediaTools(options);
  } catch (error) {
    const isConfigured = options.ffmpegPath !== null || options.ffprobePath !== null;
    const { message } = toError(error);
    const finding = isConfigured
      ? fail('ffmpeg', message, FIX)
      : warn('ffmpeg', `${message}; media jobs will fail`, FIX);
    return [finding, skip('encoders', 'there is no usable ffmpeg')];
  }
  const shown = [found.ffmpeg, found.ffprobe]
    .map(({ path, version }) => `${path} ${version.name}`)
    .join(', ');
  const isOld = [found.ffmpeg, found.ffprobe].some(({ source }) => source === 'npm');
  const finding = isOld
    ? warn(
        'ffmpeg',
        `${shown}: npm's builds are of 2018, get no security updates, and place pictures of variable rates and at the start of clips up to 40 ms off`,
        FIX,
      )
    : ok('ffmpeg', shown);
  return [finding, await checkEncoders(found.ffmpegPath)];
}

async function checkEncoders(ffmpegPath: string): Promise<Finding> {
  const { stdout } = await runProcess({
    file: ffmpegPath,
    args: ['-hide_banner', '-encoders'],
    cwd: '/',
    timeoutMs: 20_000,
    maxOutputBytes: 1024 * 1024,
  });
  return judgeEncoders(stdout);
}

/** @param listing what `ffmpeg -encoders` prints */
export function judgeEncoders(listing: string): Finding {
  const missing = ENCODERS.filter((name) => !new RegExp(`^ [VAS]\\S* ${name} `, 'm').test(listing));
  if (missing.length === 0) return ok('encoders', ENCODERS.join(', '));
  return fail('encoders', `this ffmpeg lacks ${missing.join(', ')}`, FIX);
}
