import { statement } from '../../../db/statement.ts';

/** A video of a tenant, locked until its upload is recorded: two completions take turns. Index: videos_pkey. */
export const lockVideo = statement(
  'lock_video',
  `
select id, status, original_key, content_type, languages, owner_id from millrace.videos
where tenant_id = $1 and id = $2
for no key update`,
);

export interface LockedVideoRow {
  readonly id: string;
  readonly status: string;
  readonly original_key: string;
  readonly content_type: string | null;
  readonly owner_id: string | null;
  readonly languages: readonly string[] | null;
}
