import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storyboard } from '../../../src/domains/videos/pipeline/frame-manifest.ts';
import type { MediaTools } from '../../handler.ts';
import { runFfmpeg } from '../../tools/ffmpeg.ts';
import { tileArgs } from '../../tools/tile-args.ts';
import { fitWithin, type PixelSize } from '../../tools/video-filters.ts';
import type { ChosenFrame } from './frame-selection.ts';

const COLUMNS = 5;
const ROWS = 5;
const TILE_LONG_SIDE_PX = 160;
const TIMEOUT_MS = 120_000;

export interface StoryboardOptions {
  readonly media: MediaTools;
  /** The size of the frames. */
  readonly size: PixelSize;
  /** The job's directory; pictures that are not in a file yet are below it. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Puts a finished picture into the store. @returns its name */
  readonly put: (jpeg: Buffer) => Promise<string>;
}

/**
 * Makes the pictures of a storyboard while frames are still being looked for: no more frames than one of them
 * has are on the disk, beside those that are being put together.
 */
export class StoryboardMaker {
  readonly #options: StoryboardOptions;
  readonly #tile: PixelSize;
  readonly #sprites: string[] = [];
  #count = 0;
  #batch = 0;
  #running: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(options: StoryboardOptions) {
    this.#options = options;
    const { widthPx, heightPx } = options.size;
    this.#tile = fitWithin(widthPx, heightPx, TILE_LONG_SIDE_PX, TILE_LONG_SIDE_PX);
  }

  /**
   * Takes the next frame, of a later time than the one before. @throws what making an earlier picture failed
   * with
   */
  async add({ jpeg }: Pick<ChosenFrame, 'jpeg'>): Promise<void> {
    const folder = this.#folder();
    if (this.#count === 0) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${++this.#count}.jpg`), jpeg);
    if (this.#count === COLUMNS * ROWS) await this.#close();
  }

  /** @throws as `add` */
  async finish(): Promise<Storyboard> {
    if (this.#count > 0) await this.#close();
    await this.settle();
    this.#check();
    const { widthPx: tileWidthPx, heightPx: tileHeightPx } = this.#tile;
    return { columns: COLUMNS, rows: ROWS, tileWidthPx, tileHeightPx, sprites: this.#sprites };
  }

  /** Waits for what is being made. Never throws. */
  async settle(): Promise<void> {
    await this.#running;
  }

  async #close(): Promise<void> {
    const [folder, count] = [this.#folder(), this.#count];
    // One at a time: a decoder is at work beside it.
    await this.settle();
    this.#check();
    this.#batch++;
    this.#count = 0;
    this.#running = this.#make(folder, count).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  async #make(folder: string, count: number): Promise<void> {
    const { media, signal, put } = this.#options;
    const outputName = 'tiles.jpg';
    const args = tileArgs(
      {
        pictures: '%d.jpg',
        tile: this.#tile,
        columns: COLUMNS,
        rows: Math.ceil(count / COLUMNS),
        outputName,
      },
      media,
    );
    await runFfmpeg({ ffmpegPath: media.ffmpegPath, args, cwd: folder, timeoutMs: TIMEOUT_MS, signal });
    this.#sprites.push(await put(await readFile(join(folder, outputName))));
    await rm(folder, { recursive: true, force: true });
  }

  #folder(): string {
    return join(this.#options.directory, 'storyboard', String(this.#batch));
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
