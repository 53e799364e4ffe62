import { statement } from '../../../db/statement.ts';

/** What may be changed of a video, locked until its transaction ends. Index: videos_pkey. */
export const lockVideoFacts = statement(
  'lock_video_facts',
  `
select title, languages, status from millrace.videos where tenant_id = $1 and id = $2 for no key update`,
);

export interface VideoFactsRow {
  readonly title: string;
  readonly languages: readonly string[] | null;
  readonly status: string;
}
