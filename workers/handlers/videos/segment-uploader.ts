import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toError } from '../../../src/core/errors.ts';
import { type HlsPlaylist, type HlsSegment, parseHlsPlaylist } from '../../../src/storage/hls-playlist.ts';
import type { ObjectStore, StoredObject } from '../../../src/storage/object-store.ts';
import { renditionPlaylistName } from '../../../src/storage/video-keys.ts';
import type { Rendition } from '../../tools/ladder.ts';

/** A segment that is in the store. */
export interface UploadedSegment extends HlsSegment {
  readonly stored: StoredObject;
}

/** What is in the store of one rendition, in its order. */
export interface UploadedRendition {
  readonly rendition: Rendition;
  readonly segments: readonly UploadedSegment[];
}

export interface SegmentUploaderOptions {
  readonly storage: ObjectStore;
  /** Where ffmpeg writes. */
  readonly directory: string;
  /** Where the segments go, ending in a slash. */
  readonly keyPrefix: string;
  readonly generation: number;
  /** The best first. */
  readonly renditions: readonly Rendition[];
  readonly signal: AbortSignal;
  /** More segments are in the store. What it throws counts as a failed upload. */
  readonly onUploaded: (renditions: readonly UploadedRendition[]) => Promise<void>;
  /** An upload failed: the encoder need not go on. */
  readonly onFailure: (error: Error) => void;
}

interface RenditionState {
  readonly rendition: Rendition;
  readonly segments: UploadedSegment[];
}

/**
 * Uploads the segments of a running encoder as they become complete, one after the other, so that at its end
 * only the last are left. Uploaded ones are removed from the disk.
 */
export class SegmentUploader {
  readonly #options: SegmentUploaderOptions;
  readonly #renditions: readonly RenditionState[];
  #running: Promise<void> | null = null;
  #failure: Error | null = null;

  constructor(options: SegmentUploaderOptions) {
    this.#options = options;
    this.#renditions = options.renditions.map((rendition) => ({ rendition, segments: [] }));
  }

  /** What is in the store so far. */
  get uploaded(): readonly UploadedRendition[] {
    return this.#renditions;
  }

  /** Looks for newly completed segments. Cheap, and never throws; to be called while the encoder runs. */
  poke(): void {
    if (this.#running !== null || this.#failure !== null) return;
    this.#running = this.#uploadListed()
      .catch((thrown: unknown) => {
        this.#failure = toError(thrown);
        this.#options.onFailure(this.#failure);
      })
      .finally(() => {
        this.#running = null;
      });
  }

  /**
   * After the encoder's end: uploads the rest.
   * @param playlists of the renditions, in their order
   * @param onDone called with how many are done
   */
  async finish(playlists: readonly HlsPlaylist[], onDone: (count: number) => void): Promise<void> {
    await this.settle();
    if (this.#failure !== null) throw this.#failure;
    let count = this.#renditions.reduce((sum, { segments }) => sum + segments.length, 0);
    for (const [index, state] of this.#renditions.entries()) {
      const left = playlists[index]?.segments.slice(state.segments.length) ?? [];
      for (const segment of left) {
        await this.#upload(state, segment);
        onDone(++count);
      }
    }
  }

  /** Waits for an upload that is under way. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** All that the encoder has listed: it lists a segment once that is whole. */
  async #uploadListed(): Promise<void> {
    for (let found = true; found; ) {
      found = false;
      for (const state of this.#renditions) {
        const segment = (await this.#listed(state.rendition))[state.segments.length];
        if (segment === undefined) continue;
        await this.#upload(state, segment);
        found = true;
      }
      if (found) await this.#options.onUploaded(this.#renditions);
    }
  }

  async #upload({ segments }: RenditionState, segment: HlsSegment): Promise<void> {
    const { storage, directory, keyPrefix, signal } = this.#options;
    const path = join(directory, segment.name);
    const stored = await storage.put(keyPrefix + segment.name, { path }, { signal });
    segments.push({ ...segment, stored });
    await rm(path, { force: true });
  }

  async #listed(rendition: Rendition): Promise<readonly HlsSegment[]> {
    const { directory, generation } = this.#options;
    const path = join(directory, renditionPlaylistName(generation, rendition.name));
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    // npm's ffmpeg writes it in place: what is read meanwhile may be empty, or end anywhere.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    return whole.startsWith('#EXTM3U\n') ? parseHlsPlaylist(whole).segments : [];
  }
}
