import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';

/**
 * The video that a clip is asked of. Locks nothing: its foreign key holds it from the insert on. Index:
 * videos_pkey.
 */
export const findClipSource = statement(
  'find_clip_source',
  `
select id, status, title, original_key, duration_ms::float8 as duration_ms from millrace.videos
where tenant_id = $1 and id = $2`,
);

export interface ClipSourceRow extends Columns<Video, 'id' | 'status' | 'title' | 'original_key'> {
  readonly duration_ms: number | null;
}
