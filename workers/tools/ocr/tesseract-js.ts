import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker as Thread } from 'node:worker_threads';
import type { Worker } from 'tesseract.js';
import { MediaToolError } from '../media-error.ts';
import { npmDataPath } from '../ocr-tools.ts';
import type { Engine } from './engine.ts';

export interface TesseractJsOptions {
  /** Each with its data available. */
  readonly languages: readonly string[];
  readonly concurrency: number;
  /** For a folder of the languages' data, which npm has in a package each. */
  readonly directory: string;
}

/** A worker's memory grows with every picture (tesseract.js#678): after this many it is replaced. */
const PICTURES_OF_A_WORKER = 200;

/**
 * The npm package: as many threads as frames are read at once, each with a copy of the program in
 * WebAssembly.
 */
export async function openTesseractJs({
  languages,
  concurrency,
  directory,
}: TesseractJsOptions): Promise<Engine> {
  const { createWorker, OEM, PSM } = await import('tesseract.js');
  const langPath = join(directory, 'tessdata');
  await mkdir(langPath);
  for (const language of languages)
    await symlink(npmDataPath(language) ?? language, join(langPath, `${language}.traineddata.gz`));

  const start = async (): Promise<Slot> => {
    // By name: given as bytes, it takes the bytes for the name (tesseract.js 7.0.0).
    const worker = await createWorker([...languages], OEM.LSTM_ONLY, {
      ...{ langPath, gzip: true, cacheMethod: 'none' },
      logger: () => {},
      errorHandler: () => {},
    });
    const died = deathOf(worker);
    await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
    return { worker, died, pictures: 0 };
  };
  const free: Slot[] = [];
  const waiting: PromiseWithResolvers<Slot>[] = [];
  let open = 0;
  let closed = false;

  const take = async (): Promise<Slot> => {
    const slot = free.pop();
    if (slot !== undefined) return slot;
    if (open >= concurrency) {
      const turn = Promise.withResolvers<Slot>();
      waiting.push(turn);
      return await turn.promise;
    }
    open++;
    return await start().catch((error: unknown) => {
      open--;
      throw error;
    });
  };
  const give = async (slot: Slot, isSpent: boolean): Promise<void> => {
    if (!closed && !isSpent) {
      const turn = waiting.shift();
      if (turn === undefined) free.push(slot);
      else turn.resolve(slot);
      return;
    }
    await slot.worker.terminate();
    open--;
    const turn = waiting.shift();
    if (turn !== undefined) take().then(turn.resolve, turn.reject);
  };
  return {
    read: async (paths, signal, onRead) => {
      const slot = await take();
      let isSpent = true;
      const stopped = Promise.withResolvers<never>();
      stopped.promise.catch(() => {});
      const stop = () => stopped.reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        const tables: string[] = [];
        for (const [index, path] of paths.entries()) {
          signal.throwIfAborted();
          const picture = await readFile(path);
          const reading = slot.worker.recognize(picture, {}, { text: false, tsv: true });
          const { data: page } = await Promise.race([reading, slot.died, stopped.promise]);
          slot.pictures++;
          // It says page 1 of each.
          tables.push((page.tsv ?? '').replaceAll(/^(\d+)\t1\t/gm, `$1\t${index + 1}\t`));
          onRead?.(index + 1);
        }
        isSpent = slot.pictures >= PICTURES_OF_A_WORKER;
        return tables.join('\n');
      } finally {
        signal.removeEventListener('abort', stop);
        await give(slot, isSpent);
      }
    },
    close: async () => {
      closed = true;
      await Promise.all(free.splice(0).map(({ worker }) => worker.terminate()));
    },
  };
}

interface Slot {
  readonly worker: Worker;
  /**
   * Rejects when its thread ends, which the package does not notice: the picture would be waited for for
   * ever.
   */
  readonly died: Promise<never>;
  pictures: number;
}

function deathOf(worker: Worker): Promise<never> {
  const { worker: thread } = worker as unknown as { readonly worker: Thread };
  const death = Promise.withResolvers<never>();
  // Nobody may be reading with it.
  death.promise.catch(() => {});
  thread.once('error', (error) =>
    death.reject(new MediaToolError('crashed', `tesseract.js broke: ${error.message}`)),
  );
  thread.once('exit', () => death.reject(new MediaToolError('crashed', 'tesseract.js ended')));
  return death.promise;
}
