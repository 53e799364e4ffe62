import { statement } from '../../../db/statement.ts';

/**
 * Settings of a transaction that sorts all texts of a video: room for it, and no bitmaps, since one of a
 * whole video would be made and sorted for each page of its texts. Locks nothing.
 */
export const beginIndex = statement(
  'begin_index',
  "select set_config('work_mem', '48MB', true), set_config('enable_bitmapscan', 'off', true)",
);
