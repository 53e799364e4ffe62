import { callClipKey } from '../../storage/call-keys.ts';
import { clipKey } from '../../storage/video-keys.ts';

/** Where the file of a clip lies, of a video or a call. @throws TypeError for one of neither */
export function clipFileKey(
  clipId: string,
  of: { readonly videoId: string | null; readonly callId: string | null },
): string {
  if (of.callId !== null) return callClipKey(of.callId, clipId);
  if (of.videoId !== null) return clipKey(of.videoId, clipId);
  throw new TypeError(`Clip ${clipId} is a piece of nothing`);
}
