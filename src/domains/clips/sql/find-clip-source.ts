import { statement } from '../../../db/statement.ts';

/** The video that a clip is asked of. Locks nothing: its foreign key holds it from the insert on. Index: videos_pkey. */
export const findClipSource = statement(
  'find_clip_source',
  `
select id, status, title, original_key, duration_ms::float8 as duration_ms from millrace.videos
where tenant_id = $1 and id = $2`,
);

export interface ClipSourceRow {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly original_key: string;
  readonly duration_ms: number | null;
}
