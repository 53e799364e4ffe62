import { statement } from '../../../db/statement.ts';

/**
 * Removes entities of the ranges that this transaction has changed. Locks those rows. Index:
 * segments_video_idx, entities_segment_idx.
 */
export const deleteChangedEntities = statement(
  'delete_changed_entities',
  `
delete from millrace.entities e
using millrace.segments s
where s.tenant_id = $1 and s.video_id = $2 and s.indexed_at = now() and e.segment_id = s.id`,
);
