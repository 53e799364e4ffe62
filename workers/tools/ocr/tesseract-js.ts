import { readFile } from 'node:fs/promises';
import type { Worker } from 'tesseract.js';
import { npmDataPath } from '../ocr-tools.ts';
import type { Engine } from './engine.ts';

export interface TesseractJsOptions {
  /** Each with its data at hand. */
  readonly languages: readonly string[];
  readonly concurrency: number;
}

/** A worker's memory grows with every picture (tesseract.js#678): after so many it is replaced. */
const PICTURES_OF_A_WORKER = 200;

/** The npm package: as many threads as frames are read at once, each with a copy of the program in WebAssembly. */
export async function openTesseractJs({ languages, concurrency }: TesseractJsOptions): Promise<Engine> {
  const { createWorker, OEM, PSM } = await import('tesseract.js');
  const data = await Promise.all(
    languages.map(async (code) => ({
      code,
      data: new Uint8Array(await readFile(npmDataPath(code) ?? code)),
    })),
  );
  const start = async (): Promise<Seat> => {
    const worker = await createWorker(data, OEM.LSTM_ONLY, {
      cacheMethod: 'none',
      logger: () => {},
      errorHandler: () => {},
    });
    await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO });
    return { worker, pictures: 0 };
  };
  const free: Seat[] = [];
  const waiting: ((seat: Seat) => void)[] = [];
  let open = 0;
  let closed = false;

  const take = async (): Promise<Seat> => {
    const seat = free.pop();
    if (seat !== undefined) return seat;
    if (open < concurrency) {
      open++;
      return await start().catch((error: unknown) => {
        open--;
        throw error;
      });
    }
    return await new Promise((resolve) => waiting.push(resolve));
  };
  const give = async (seat: Seat): Promise<void> => {
    let next = seat;
    if (closed || seat.pictures >= PICTURES_OF_A_WORKER) {
      await seat.worker.terminate();
      open--;
      if (closed) return;
      open++;
      next = await start();
    }
    const wanted = waiting.shift();
    if (wanted === undefined) free.push(next);
    else wanted(next);
  };
  return {
    read: async (plainPath, evenPath, signal) => {
      const seat = await take();
      try {
        const tables: string[] = [];
        for (const [index, path] of [plainPath, evenPath].entries()) {
          signal.throwIfAborted();
          const { data: page } = await seat.worker.recognize(
            await readFile(path),
            {},
            { text: false, tsv: true },
          );
          seat.pictures++;
          // It says page 1 of each.
          tables.push((page.tsv ?? '').replaceAll(/^(\d+)\t1\t/gm, `$1\t${index + 1}\t`));
        }
        return tables.join('\n');
      } finally {
        await give(seat);
      }
    },
    close: async () => {
      closed = true;
      await Promise.all(free.splice(0).map(({ worker }) => worker.terminate()));
    },
  };
}

interface Seat {
  readonly worker: Worker;
  pictures: number;
}
