import type { ArtifactKind } from '../../core/artifact-kind.ts';
import { callClip } from './call-clip.ts';
import { clipGenerate } from './clip-generate.ts';
import type { ClipResult } from './clip-pipeline.ts';

/** The one file that a job of a clip makes; it goes with the clip. */
export const CLIP_ARTIFACT: ArtifactKind = {
  kind: 'clip',
  label: 'Clip',
  definitionKeys: [clipGenerate.key, callClip.key],
  scope: 'videos:read',
  lengthMs: ({ result }) => {
    const { startMs, endMs } = (result ?? {}) as Partial<ClipResult>;
    return startMs === undefined || endMs === undefined ? null : endMs - startMs;
  },
};
