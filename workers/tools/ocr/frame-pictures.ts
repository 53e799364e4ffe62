import { mkdir, rm, stat, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PermanentError } from '../../../src/core/errors.ts';
import type { MediaTools } from '../../handler.ts';
import { runFfmpeg } from '../ffmpeg.ts';
import { MediaToolError } from '../media-error.ts';
import type { PixelSize } from '../video-filters.ts';
import { pictureArgs } from './picture-args.ts';

export interface PicturesOptions {
  readonly media: MediaTools;
  /** The size of each frame. */
  readonly size: PixelSize;
  /** For the pictures; made here, and gone with them. */
  readonly directory: string;
  readonly signal?: AbortSignal;
}

/** The pictures of each frame, in order: `plain`, `even`, `plain`, `even` … */
export interface FramePictures extends AsyncDisposable {
  readonly paths: readonly string[];
}

const TIMEOUT_MS = 180_000;

/**
 * Makes the pictures of frames that are read; they are there until they are disposed of.
 * @throws PermanentError `NotAPicture` for a file that is none and `PictureTooLarge`, when it is alone;
 *   MediaToolError else
 */
export async function makeFramePictures(
  framePaths: readonly string[],
  { media, size, directory, signal }: PicturesOptions,
): Promise<FramePictures> {
  await mkdir(directory);
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    // By number, so that none can be taken for another's, whatever they are called and wherever they lie.
    for (const [index, path] of framePaths.entries())
      await symlink(resolve(path), join(directory, `frame-${index + 1}.jpg`));
    const count = framePaths.length;
    const names = { frames: 'frame-%d.jpg', plain: 'plain-%d.pgm', even: 'even-%d.pgm' };
    await runFfmpeg({
      ffmpegPath: media.ffmpegPath,
      args: pictureArgs({ ...names, count, size }, media),
      cwd: directory,
      timeoutMs: TIMEOUT_MS,
      ...(signal && { signal }),
    });
    // A frame that cannot be decoded is left out, and all behind it would be taken for the one before.
    await stat(join(directory, `even-${count}.pgm`)).catch((error: unknown) => {
      throw new MediaToolError('failed', `ffmpeg made fewer pictures than there are frames: ${error}`);
    });
    const paths = framePaths.flatMap((_, index) =>
      [`plain-${index + 1}.pgm`, `even-${index + 1}.pgm`].map((name) => join(directory, name)),
    );
    return { paths, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    const [path] = framePaths;
    throw path !== undefined && framePaths.length === 1 ? await blamed(error, path) : error;
  }
}

/** Says which file it was, when the file is to blame. */
async function blamed(error: unknown, path: string): Promise<unknown> {
  if (error instanceof PermanentError && error.type === 'PictureTooLarge')
    return new PermanentError(error.type, `${basename(path)} cannot be read. ${error.message}`, error);
  const isEmpty = (await stat(path)).size === 0;
  if (!isEmpty && !(error instanceof PermanentError)) return error;
  const why = isEmpty ? 'it is empty' : 'it is no picture, or damaged';
  return new PermanentError('NotAPicture', `${basename(path)} cannot be read: ${why}`, error);
}
