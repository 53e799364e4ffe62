import { CLIP_STAGE } from '../../domains/clips/clip-pipeline.ts';
import { VIDEO_STAGES } from '../../domains/videos/pipeline/video.ts';

const LOGGED: ReadonlySet<string> = new Set([...VIDEO_STAGES, CLIP_STAGE]);

/** Whether jobs of a definition are seed 001's, about whose runs there may be a file in the storage. */
export function hasLogFile(definitionKey: string): boolean {
  return LOGGED.has(definitionKey);
}
