import { DomainError } from '../../../src/core/errors.ts';
import type { MediaTools } from '../../handler.ts';

/**
 * The media programs of this worker. A worker without ffmpeg cannot do this, another one may: so it is an
 * ordinary, retried error.
 * @throws DomainError `ToolMissing`
 */
export function requireMedia(media: MediaTools | null): MediaTools {
  if (media !== null) return media;
  throw new DomainError('ToolMissing', 'This worker has no ffmpeg', {
    field: 'FFMPEG_PATH',
    allowed: 'ffmpeg 5 or newer',
  });
}
