import type { Columns, NullableColumns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';

/** What may be changed of a video, locked until its transaction ends. Index: videos_pkey. */
export const lockVideoFacts = statement(
  'lock_video_facts',
  `
select title, languages, status, version::text as version from millrace.videos where tenant_id = $1 and id = $2 for no key update`,
);

/** Languages are null where none were given. */
export type VideoFactsRow = Columns<Video, 'title' | 'status' | 'version'> &
  NullableColumns<Video, 'languages'>;
