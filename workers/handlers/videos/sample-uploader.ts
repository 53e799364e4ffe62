import { createHash } from 'node:crypto';
import type { KeptFrame } from '../../../src/domains/videos/pipeline/frame-manifest.ts';
import type { ObjectStore, StoredObject } from '../../../src/storage/object-store.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import { frameKey, storyboardPrefix } from '../../../src/storage/video-keys.ts';
import type { ChosenFrame } from './frame-selection.ts';

export type UploadedFrame = Pick<KeptFrame, 'tMs' | 'sizeBytes' | 'sha256'> & {
  readonly stored: StoredObject;
};

/**
 * Uploads at once: enough to hide the way to a bucket, few enough that their pictures are a few megabytes.
 */
const MAX_AT_ONCE = 4;

/** Uploads kept frames while more of them are looked for. Who adds one waits while too many are under way. */
export class FrameUploader {
  readonly #storage: ObjectStore;
  readonly #videoId: string;
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  readonly #uploaded = new Map<number, UploadedFrame>();
  #newestKey: string | null = null;
  #failure: unknown = null;

  constructor(storage: ObjectStore, videoId: string, signal: AbortSignal) {
    this.#storage = storage;
    this.#videoId = videoId;
    this.#signal = signal;
  }

  /** The key of the frame that was stored last. */
  get newestKey(): string | null {
    return this.#newestKey;
  }

  /**
   * @throws what an upload failed with: to be asked for while there is nothing to add, so that no hour is
   *   decoded in vain
   */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** @throws as `check` */
  async add(frame: ChosenFrame): Promise<void> {
    while (this.#running.size >= MAX_AT_ONCE) await Promise.race(this.#running);
    this.check();
    const upload = this.#put(frame)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#running.delete(upload);
      });
    this.#running.add(upload);
  }

  /**
   * Waits for all uploads. Returns what is in the store, by time.
   * @throws what one of them failed with
   */
  async finish(): Promise<ReadonlyMap<number, UploadedFrame>> {
    await this.settle();
    this.check();
    return this.#uploaded;
  }

  /** Waits for uploads that are under way. Never throws. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #put({ tMs, jpeg }: ChosenFrame): Promise<void> {
    const key = frameKey(this.#videoId, tMs);
    const options = { signal: this.#signal, contentType: 'image/jpeg' };
    const stored = await putBytes(this.#storage, key, jpeg, options);
    this.#uploaded.set(tMs, { tMs, sizeBytes: stored.sizeBytes, sha256: stored.sha256, stored });
    this.#newestKey = key;
  }
}

/**
 * Puts a picture of a storyboard into the store, under a name by its content: a run that was overtaken, or
 * one with other settings, changes nothing that a track names.
 */
export async function putSprite(
  storage: ObjectStore,
  videoId: string,
  jpeg: Buffer,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly stored: StoredObject }> {
  const name = `${createHash('sha256').update(jpeg).digest('hex').slice(0, 32)}.jpg`;
  const key = storyboardPrefix(videoId) + name;
  return { name, stored: await putBytes(storage, key, jpeg, { signal, contentType: 'image/jpeg' }) };
}
