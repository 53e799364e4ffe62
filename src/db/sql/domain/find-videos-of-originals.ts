import { statement } from '../../statement.ts';

/** The videos among ids $1. Crosses tenants: names of files know none. Locks nothing. Index: videos_pkey. */
export const findVideosOfOriginals = statement(
  'find_videos_of_originals',
  `select id, tenant_id, status, original_key from millrace.videos where id = any ($1::uuid[])`,
);

export interface VideoOfOriginalRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: string;
  readonly original_key: string;
}
