import type { JobLabels } from '../payloads/job-labels.ts';
import { textArray } from './columns.ts';

/** Tags as Postgres reads an array, each once; null without any. */
export function tagsText({ tags }: JobLabels): string | null {
  return tags == null || tags.length === 0 ? null : textArray([...new Set(tags)]);
}
