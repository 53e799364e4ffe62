import { chmod, constants, copyFile, mkdir, rename, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { DomainError, toError } from '../../src/core/errors.ts';
import { installCommand } from '../../src/core/parts.ts';
import type { MediaLimits, MediaTools } from '../handler.ts';
import { DEFAULT_MEDIA_LIMITS } from './media-limits.ts';
import { type MediaVersion, parseMediaVersion } from './media-version.ts';
import { runProcess } from './process.ts';
import { isExecutable, programsIn } from './search-path.ts';

export interface MediaToolsOptions {
  /**
   * Configured paths (FFMPEG_PATH, FFPROBE_PATH); one that doesn't work is an error, not a reason to look
   * elsewhere.
   */
  readonly ffmpegPath: string | null;
  readonly ffprobePath: string | null;
  /** Folders to search, in the form of PATH. */
  readonly searchPath: string | null;
  /** Where a copy of npm's ffprobe may go when it cannot be made executable where it is. */
  readonly cacheDir: string;
  /** Whether npm's programs of 2018 may be used. Default true. */
  readonly allowNpm?: boolean;
  /** Default `DEFAULT_MEDIA_LIMITS`. */
  readonly limits?: MediaLimits;
}

/**
 * Where a program was found. The system's gets security updates; npm's ffmpeg is of 2018 and only always
 * there.
 */
export type ToolSource = 'configured' | 'system' | 'npm';

export interface FoundTool {
  readonly path: string;
  readonly source: ToolSource;
  readonly version: MediaVersion;
}

export interface FoundMediaTools extends MediaTools {
  readonly ffmpeg: FoundTool;
  readonly ffprobe: FoundTool;
}

type Program = 'ffmpeg' | 'ffprobe';

/** libavutil of FFmpeg 5.0: below it the system's build is no better than npm's. */
const MIN_SYSTEM_AVUTIL = [57, 17] as const;
const VERSION_TIMEOUT_MS = 20_000;

/**
 * Finds ffmpeg and ffprobe: as configured, else of version 5 or newer in the search path, else from npm where
 * that is allowed.
 * @throws DomainError `ToolMissing` that says where was looked and what to do
 */
export async function findMediaTools(options: MediaToolsOptions): Promise<FoundMediaTools> {
  const [ffmpeg, ffprobe] = await Promise.all([
    find('ffmpeg', options.ffmpegPath, options),
    find('ffprobe', options.ffprobePath, options),
  ]);
  const filters = await runProcess({
    file: ffmpeg.path,
    args: ['-hide_banner', '-filters'],
    cwd: '/',
    timeoutMs: VERSION_TIMEOUT_MS,
    maxOutputBytes: 1024 * 1024,
  });
  return {
    ffmpegPath: ffmpeg.path,
    ffprobePath: ffprobe.path,
    fpsMode: isAtLeast(ffmpeg.version, [57, 28]),
    zscale: / zscale /.test(filters.stdout),
    limits: options.limits ?? DEFAULT_MEDIA_LIMITS,
    ffmpeg,
    ffprobe,
  };
}

async function find(
  program: Program,
  configured: string | null,
  options: MediaToolsOptions,
): Promise<FoundTool> {
  const variable = program === 'ffmpeg' ? 'FFMPEG_PATH' : 'FFPROBE_PATH';
  if (configured !== null) {
    const found = isAbsolute(configured) ? await versionOf(configured) : 'is not an absolute path';
    if (typeof found === 'string')
      throw missing(program, `${variable} is ${JSON.stringify(configured)}, which ${found}`);
    return { path: configured, source: 'configured', version: found };
  }
  const tried: string[] = [];
  for await (const path of programsIn(options.searchPath, program)) {
    const found = await versionOf(path);
    if (typeof found !== 'string' && isAtLeast(found, MIN_SYSTEM_AVUTIL))
      return { path, source: 'system', version: found };
    tried.push(typeof found === 'string' ? `${path} ${found}` : `${path} is ${found.name}, older than 5`);
  }
  if (options.allowNpm === false) {
    const found = tried.length === 0 ? 'found none in PATH' : `in PATH: ${tried.join('; ')}`;
    throw missing(
      program,
      `${found}; the one from npm is of 2018, gets no security updates and is not used without MILLRACE_ALLOW_NPM_FFMPEG=true`,
    );
  }
  try {
    const path = await fromNpm(program, options.cacheDir);
    const found = await versionOf(path);
    if (typeof found !== 'string') return { path, source: 'npm', version: found };
    tried.push(`${path} ${found}`);
  } catch (error) {
    tried.push(`npm's: ${toError(error).message}`);
  }
  throw missing(program, `looked in PATH and npm's packages: ${tried.join('; ')}`);
}

/** The version, or why there is none, in words that go after the path. */
async function versionOf(path: string): Promise<MediaVersion | string> {
  const { end, stdout } = await runProcess({
    file: path,
    args: ['-version'],
    cwd: '/',
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  if (end.how === 'notStarted') return `cannot be run (${end.error.message})`;
  if (end.how !== 'exited' || end.exitCode !== 0) return 'does not answer to -version';
  return parseMediaVersion(stdout) ?? 'does not report its version';
}

/**
 * The path inside the npm package. Its ffprobe comes without execute permission: given here, else to a copy.
 */
async function fromNpm(program: Program, cacheDir: string): Promise<string> {
  const { path } = createRequire(import.meta.url)(`@${program}-installer/${program}`) as { path: string };
  if (await isExecutable(path)) return path;
  const fixed = await chmod(path, 0o755).then(
    () => isExecutable(path),
    () => false, // installed by another user
  );
  return fixed ? path : await executableCopy(path, program, cacheDir);
}

async function executableCopy(path: string, program: Program, cacheDir: string): Promise<string> {
  const { size } = await stat(path);
  const copy = join(cacheDir, `${program}-${size}`);
  if (await isExecutable(copy)) return copy;
  await mkdir(cacheDir, { recursive: true });
  const unfinished = `${copy}.${process.pid}`;
  await copyFile(path, unfinished, constants.COPYFILE_FICLONE);
  await chmod(unfinished, 0o755);
  await rename(unfinished, copy);
  return copy;
}

function isAtLeast({ avutil }: MediaVersion, [major, minor]: readonly [number, number]): boolean {
  return avutil[0] > major || (avutil[0] === major && avutil[1] >= minor);
}

function missing(program: Program, message: string): DomainError {
  const variable = program === 'ffmpeg' ? 'FFMPEG_PATH' : 'FFPROBE_PATH';
  const allowed = `an ${program} of version 5 or newer in PATH, its absolute path in ${variable}, or npm's (${installCommand('media')})`;
  return new DomainError('ToolMissing', `No usable ${program}: ${message}. Needed: ${allowed}`, {
    field: variable,
    allowed,
  });
}
