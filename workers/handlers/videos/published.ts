import { text } from 'node:stream/consumers';
import type { ArtifactRecord } from '../../../src/core/outcome.ts';
import type { TranscodeResult } from '../../../src/domains/videos/pipeline/stage-results.ts';
import { parseHlsPlaylist, variantNames } from '../../../src/storage/hls-playlist.ts';
import type { ObjectStat, ObjectStore } from '../../../src/storage/object-store.ts';
import { playlistKey, posterKey, proxyPrefix, runOfProxyFile } from '../../../src/storage/video-keys.ts';
import type { MediaInfo } from '../../tools/media-info.ts';

/** What ffprobe said about an original, kept for those who come later; see `knownMedia`. */
export interface KnownMedia {
  /** The version of the format of `info`. */
  readonly version: number;
  readonly info: MediaInfo;
}

/** Kept with the playlist's artifact: what it was made from, and what `transcode` returned. */
export interface PlaylistMetadata extends Readonly<Record<string, unknown>> {
  readonly source: SourceIdentity;
  readonly result: TranscodeResult;
  readonly media: KnownMedia;
}

/** Returns whether a source is still the one that something was made from. */
export interface SourceIdentity {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  readonly sha256: string | null;
}

export interface Published {
  readonly result: TranscodeResult;
  readonly artifacts: readonly ArtifactRecord[];
}

export function identityOf(stat: ObjectStat): SourceIdentity {
  return {
    key: stat.key,
    sizeBytes: stat.sizeBytes,
    modifiedAt: stat.modifiedAt.toISOString(),
    sha256: stat.sha256 ?? null,
  };
}

/**
 * What an earlier run has made of this very source, if all of it is still in the store, unchanged; null
 * otherwise.
 * @param artifacts all artifact rows of the video
 */
export async function findPublished(
  videoId: string,
  source: SourceIdentity,
  artifacts: readonly ArtifactRecord[],
  storage: ObjectStore,
): Promise<Published | null> {
  const byKey = new Map(artifacts.map((artifact) => [artifact.key, artifact]));
  const playlist = byKey.get(playlistKey(videoId));
  const poster = byKey.get(posterKey(videoId));
  const metadata = playlist?.metadata as Partial<PlaylistMetadata> | undefined;
  if (playlist === undefined || poster === undefined || metadata?.result === undefined) return null;
  if (!isSameSource(metadata.source, source) || !(await isIntact(playlist, storage))) return null;

  const named = (name: string): ArtifactRecord | undefined => byKey.get(proxyPrefix(videoId) + name);
  const read = async ({ key }: ArtifactRecord): Promise<string> =>
    await text((await storage.get(key)).stream);
  const index = await read(playlist);
  const renditions = variantNames(index)?.map(named) ?? [];
  const media: string[] = renditions.length === 0 ? [index] : [];
  for (const rendition of renditions) {
    if (rendition === undefined || !(await isIntact(rendition, storage))) return null;
    media.push(await read(rendition));
  }
  const segments = media.flatMap((list) => parseHlsPlaylist(list).segments.map(({ name }) => named(name)));
  for (const artifact of [...segments, poster]) {
    if (artifact === undefined || !(await isIntact(artifact, storage))) return null;
  }
  const all = [...segments, ...renditions, poster, playlist];
  return { result: metadata.result, artifacts: all.filter((artifact) => artifact !== undefined) };
}

/**
 * The number that this run's segment names carry. A job's `runNo` alone would repeat that of an earlier job
 * on the same video, whose playlist is perhaps being played; so the highest published one is added. For a
 * video's first job it is `runNo`.
 */
export function segmentGeneration(
  videoId: string,
  runNo: number,
  artifacts: readonly ArtifactRecord[],
): number {
  const prefix = proxyPrefix(videoId);
  const published = artifacts.map(({ key }) =>
    key.startsWith(prefix) ? (runOfProxyFile(key.slice(prefix.length)) ?? 0) : 0,
  );
  return Math.max(0, ...published) + runNo;
}

/** Whether what was made of one is still good for the other. */
export function isSameSource(made: SourceIdentity | undefined, now: SourceIdentity): boolean {
  if (made?.key !== now.key || made.sizeBytes !== now.sizeBytes) return false;
  return made.sha256 !== null && now.sha256 !== null
    ? made.sha256 === now.sha256
    : made.modifiedAt === now.modifiedAt;
}

/** Whether the file of an artifact row is still in the store as it was put there. */
export async function isIntact(artifact: ArtifactRecord, storage: ObjectStore): Promise<boolean> {
  const stat = await storage.stat(artifact.key);
  return stat?.sizeBytes === artifact.sizeBytes && (stat.sha256 ?? artifact.sha256) === artifact.sha256;
}
