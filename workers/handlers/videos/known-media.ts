import type { HandlerContext } from '../../handler.ts';
import type { MediaInfo } from '../../tools/media-info.ts';
import { isSameSource, type KnownMedia, type PlaylistMetadata, type SourceIdentity } from './published.ts';

/** A form of another version of ours is asked for again. */
const VERSION = 2;

export function mediaToKeep(info: MediaInfo): KnownMedia {
  return { version: VERSION, info };
}

/**
 * What `transcode` learnt of this very original, as asking ffprobe again takes a third of a second of an
 * hour's.
 * @returns null where it has not been there, or learnt of another one
 */
export async function knownMedia(
  { artifacts }: Pick<HandlerContext, 'artifacts'>,
  videoId: string,
  source: SourceIdentity,
): Promise<MediaInfo | null> {
  const [playlist] = await artifacts.find('hls_playlist', { type: 'video', id: videoId });
  const metadata = playlist?.metadata as Partial<PlaylistMetadata> | undefined;
  if (metadata?.media?.version !== VERSION || !isSameSource(metadata.source, source)) return null;
  return metadata.media.info;
}
