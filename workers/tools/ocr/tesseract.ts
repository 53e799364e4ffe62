import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MediaToolError, throwIfFailed } from '../media-error.ts';
import { runProcess } from '../process.ts';
import type { Engine } from './engine.ts';

export interface TesseractOptions {
  /** Of the program. */
  readonly path: string;
  readonly languages: readonly string[];
  /** For the lists of pictures. */
  readonly directory: string;
}

const TIMEOUT_MS = 180_000;
const MAX_TSV_BYTES = 16 * 1024 * 1024;
/**
 * Without it, each process uses four threads that wait for each other: nine times the time for one picture, and more with several
 * processes. Frames are read by as many processes as there are cores.
 */
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1' };

/** The program: one process a frame, which reads both of its pictures. */
export function openTesseract({ path, languages, directory }: TesseractOptions): Engine {
  return {
    read: async (plainPath, evenPath, signal) => {
      const list = join(directory, `${basename(plainPath)}.list`);
      await writeFile(list, `${plainPath}\n${evenPath}\n`);
      try {
        const result = await runProcess({
          file: path,
          args: [
            list,
            'stdout',
            '-l',
            languages.join('+'),
            '--psm',
            '3',
            '-c',
            'tessedit_create_tsv=1',
            ...QUIET,
          ],
          cwd: directory,
          env: ENVIRONMENT,
          timeoutMs: TIMEOUT_MS,
          maxOutputBytes: MAX_TSV_BYTES,
          signal,
        });
        throwIfFailed('tesseract', result, signal);
        if (!result.stdout.startsWith('level\t'))
          throw new MediaToolError('failed', 'tesseract gave no table of words');
        return result.stdout;
      } finally {
        await rm(list, { force: true });
      }
    },
    close: async () => {},
  };
}

const QUIET = ['-c', 'debug_file=/dev/null'];
