import { text } from 'node:stream/consumers';
import type { ArtifactRecord } from '../../../src/core/outcome.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import type { FrameManifest, Storyboard } from '../../../src/domains/videos/pipeline/frame-manifest.ts';
import type { SampleResult } from '../../../src/domains/videos/pipeline/stage-results.ts';
import type { ObjectStore } from '../../../src/storage/object-store.ts';
import {
  frameKey,
  frameManifestKey,
  framesPrefix,
  storyboardKey,
  storyboardPrefix,
} from '../../../src/storage/video-keys.ts';
import type { FrameSelectorOptions } from './frame-selection.ts';
import { isIntact, isSameSource, type SourceIdentity } from './published.ts';

export const FRAME_KIND = 'frame';
export const MANIFEST_KIND = 'frame_manifest';
export const SPRITE_KIND = 'storyboard_picture';
export const STORYBOARD_KIND = 'storyboard';

/** Kept with the manifest's artifact: what it was made from and how, and what `sample` returned. */
export interface ManifestMetadata extends Readonly<Record<string, unknown>> {
  readonly source: SourceIdentity;
  readonly settings: FrameSelectorOptions;
  readonly result: SampleResult;
}

export interface PublishedFrames {
  readonly result: SampleResult;
  readonly artifacts: readonly ArtifactRecord[];
}

/**
 * What an earlier run has made of this very source with these settings, if all of it is still in the store;
 * null otherwise.
 * @param artifacts all artifact rows of the video
 */
export async function findPublishedFrames(
  videoId: string,
  source: SourceIdentity,
  settings: FrameSelectorOptions,
  artifacts: readonly ArtifactRecord[],
  storage: ObjectStore,
): Promise<PublishedFrames | null> {
  const byKey = new Map(artifacts.map((artifact) => [artifact.key, artifact]));
  const manifest = byKey.get(frameManifestKey(videoId));
  const metadata = manifest?.metadata as Partial<ManifestMetadata> | undefined;
  if (manifest === undefined || metadata?.result === undefined) return null;
  if (!isSameSource(metadata.source, source) || !areSame(metadata.settings, settings)) return null;
  if (!(await isIntact(manifest, storage))) return null;
  // Thousands of frames: one listing, where asking for each would take minutes.
  const sizes = new Map<string, number>();
  const prefix = framesPrefix(videoId);
  for await (const { key, sizeBytes } of storage.list(prefix)) sizes.set(key, sizeBytes);
  // Rows of other frames may be there, from a sampling with other settings.
  const { stream } = await storage.get(manifest.key);
  const { frames: named, storyboard } = parseJson(await text(stream)) as FrameManifest;
  const frames: ArtifactRecord[] = [];
  for (const { tMs } of named) {
    const frame = byKey.get(frameKey(videoId, tMs));
    if (frame === undefined || sizes.get(frame.key) !== frame.sizeBytes) return null;
    frames.push(frame);
  }
  const ofStoryboard = await findStoryboard(videoId, storyboard, byKey, storage);
  return ofStoryboard === null
    ? null
    : { result: metadata.result, artifacts: [...frames, ...ofStoryboard, manifest] };
}

/** Nothing for frames of before there were storyboards; null where a part of one is gone. */
async function findStoryboard(
  videoId: string,
  storyboard: Storyboard | undefined,
  byKey: ReadonlyMap<string, ArtifactRecord>,
  storage: ObjectStore,
): Promise<readonly ArtifactRecord[] | null> {
  if (storyboard === undefined) return [];
  const prefix = storyboardPrefix(videoId);
  const keys = new Set([...storyboard.sprites.map((name) => prefix + name), storyboardKey(videoId)]);
  const found: ArtifactRecord[] = [];
  for (const key of keys) {
    const artifact = byKey.get(key);
    if (artifact === undefined || !(await isIntact(artifact, storage))) return null;
    found.push(artifact);
  }
  return found;
}

function areSame(a: FrameSelectorOptions | undefined, b: FrameSelectorOptions): boolean {
  return (
    a?.targetFps === b.targetFps &&
    a.dedupeThreshold === b.dedupeThreshold &&
    a.maxFramesPerMinute === b.maxFramesPerMinute
  );
}
