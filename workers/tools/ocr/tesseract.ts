import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MediaToolError, throwIfFailed } from '../media-error.ts';
import { runProcess } from '../process.ts';
import type { Engine } from './engine.ts';

export interface TesseractOptions {
  /** The path of the program. */
  readonly path: string;
  readonly languages: readonly string[];
  /** For the lists of pictures. */
  readonly directory: string;
}

const TIMEOUT_OF_A_PICTURE_MS = 90_000;
/** Row of a picture as a whole, which is written when it has been read. */
const PAGE_ROW = /^1\t(\d+)\t/;
const MAX_TSV_BYTES_OF_A_PICTURE = 8 * 1024 * 1024;
/**
 * Without it, each process uses four threads that wait for each other: nine times the time for one picture,
 * and more with several processes. Frames are read by as many processes as there are cores.
 */
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1' };

/** The program: one process a reading, since it takes a quarter of a second to get ready. */
export function openTesseract({ path, languages, directory }: TesseractOptions): Engine {
  return {
    read: async (paths, signal, onRead) => {
      const list = join(directory, `${randomUUID()}.list`);
      await writeFile(list, `${paths.join('\n')}\n`);
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
          timeoutMs: TIMEOUT_OF_A_PICTURE_MS * paths.length,
          maxOutputBytes: MAX_TSV_BYTES_OF_A_PICTURE * paths.length,
          signal,
          onStdoutLine: (line) => {
            const [, page] = PAGE_ROW.exec(line) ?? [];
            if (page !== undefined) onRead?.(Number(page));
          },
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
