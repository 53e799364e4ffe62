import type { ArtifactKind } from '../../core/artifact-kind.ts';
import { sample } from './definitions/sample.ts';
import { transcode } from './definitions/transcode.ts';
import type { TranscodeResult } from './pipeline/stage-results.ts';

const OF_STREAM = { definitionKeys: [transcode.key], scope: 'videos:read' } as const;
const OF_FRAMES = { definitionKeys: [sample.key], scope: 'videos:read' } as const;

/** What the stages of a video make. */
export const VIDEO_ARTIFACTS: readonly ArtifactKind[] = [
  {
    ...OF_STREAM,
    ...{ kind: 'hls_playlist', label: 'Stream', opensFolder: true },
    lengthMs: ({ result }) => (result as Partial<TranscodeResult> | undefined)?.durationMs ?? null,
  },
  {
    ...OF_STREAM,
    ...{ kind: 'hls_rung', label: 'Stream of one size', opensFolder: true },
    lengthMs: () => null,
  },
  { ...OF_STREAM, kind: 'hls_segment', label: 'Segment of a stream', isPiece: true },
  { ...OF_STREAM, kind: 'poster', label: 'Still picture' },
  { ...OF_FRAMES, kind: 'frame', label: 'Frame' },
  { ...OF_FRAMES, kind: 'frame_manifest', label: 'List of frames' },
  { ...OF_FRAMES, kind: 'storyboard', label: 'Storyboard' },
  { ...OF_FRAMES, kind: 'storyboard_picture', label: 'Pictures of the storyboard' },
];
