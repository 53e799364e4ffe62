import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type HlsVariant,
  renderMasterPlaylist,
  renderMediaPlaylist,
} from '../../../src/storage/hls-playlist.ts';
import type { ObjectStore, StoredObject } from '../../../src/storage/object-store.ts';
import { livePlaylistKey, proxyPrefix, renditionPlaylistName } from '../../../src/storage/video-keys.ts';
import type { UploadedRendition } from './segment-uploader.ts';

export interface StreamPlaylistsOptions {
  readonly storage: ObjectStore;
  readonly directory: string;
  readonly videoId: string;
  readonly generation: number;
  readonly signal: AbortSignal;
}

/**
 * A player asks again after a segment's length; more often than each half of that says nothing to anybody.
 */
const MIN_INTERVAL_MS = 2000;

/**
 * The playlists of one run, of what is in the store.
 *
 * While the encoder works, `live_r{run}.m3u8` can be played: an EVENT that grows, and in the end is complete.
 * Every name carries the run, so that no run ever writes what another's viewers read, and none needs a lease
 * to write it; the one fixed name, `index.m3u8`, is not touched before the end. Readers learn the name from
 * the job's progress alone, which the database takes from the run that holds the lease and from no other: one
 * that was overtaken goes on with a playlist that nobody is led to any more.
 */
export class StreamPlaylists {
  readonly #options: StreamPlaylistsOptions;
  readonly #written = new Map<string, StoredObject>();
  #writtenMs = Number.NEGATIVE_INFINITY;

  constructor(options: StreamPlaylistsOptions) {
    this.#options = options;
  }

  /** Every playlist of this run that is in the store. */
  get written(): readonly StoredObject[] {
    return [...this.#written.values()];
  }

  /**
   * Writes them while there is more to come. Does nothing too soon after the last time, or before each
   * rendition has a segment.
   * @returns the key of what can be played; null when nothing was written
   */
  async grow(renditions: readonly UploadedRendition[]): Promise<string | null> {
    if (renditions.some(({ segments }) => segments.length === 0)) return null;
    if (performance.now() - this.#writtenMs < MIN_INTERVAL_MS) return null;
    await this.#write(renditions, false);
    this.#writtenMs = performance.now();
    return livePlaylistKey(this.#options.videoId, this.#options.generation);
  }

  /**
   * Writes them complete.
   * @returns the playlists of the renditions, where there are several, and the text of `index.m3u8`, which
   *   names them or the segments
   */
  async finish(
    renditions: readonly UploadedRendition[],
  ): Promise<{ readonly ofRenditions: readonly StoredObject[]; readonly index: string }> {
    const live = livePlaylistKey(this.#options.videoId, this.#options.generation);
    const index = await this.#write(renditions, true);
    return { ofRenditions: this.written.filter(({ key }) => key !== live), index };
  }

  async #write(renditions: readonly UploadedRendition[], complete: boolean): Promise<string> {
    const { videoId, generation } = this.#options;
    const live = livePlaylistKey(videoId, generation);
    const [only, ...others] = renditions;
    if (only !== undefined && others.length === 0) {
      const media = renderMediaPlaylist(only.segments, complete);
      await this.#put(live, media);
      return media;
    }
    for (const { rendition, segments } of renditions) {
      const key = proxyPrefix(videoId) + renditionPlaylistName(generation, rendition.name);
      await this.#put(key, renderMediaPlaylist(segments, complete));
    }
    const master = renderMasterPlaylist(renditions.map((rendition) => variantOf(rendition, generation)));
    // Players read it once, at their beginning: only the figures in it would be better later.
    if (!this.#written.has(live)) await this.#put(live, master);
    return master;
  }

  async #put(key: string, text: string): Promise<void> {
    const { storage, directory, signal } = this.#options;
    const path = join(directory, 'playlist.txt');
    await writeFile(path, text);
    this.#written.set(key, await storage.put(key, { path }, { signal }));
  }
}

function variantOf({ rendition, segments }: UploadedRendition, generation: number): HlsVariant {
  const bits = segments.map(({ stored }) => stored.sizeBytes * 8);
  const seconds = segments.map(({ durationSeconds }) => Math.max(durationSeconds, 0.001));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    name: renditionPlaylistName(generation, rendition.name),
    ...rendition.size,
    peakBitsPerSecond: Math.max(...bits.map((value, index) => value / (seconds[index] as number))),
    averageBitsPerSecond: sum(bits) / sum(seconds),
  };
}
