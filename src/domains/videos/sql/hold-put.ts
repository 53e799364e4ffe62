import { statement } from '../../../db/statement.ts';

/**
 * Makes $4 the one who puts the original of video $2 of tenant $1, at most $3 bytes of it, for $5 seconds,
 * unless another request does so or adds to its resumable upload. Locks the row. Indexes: video_puts_pkey,
 * uploads_video_id_key.
 */
export const holdPut = statement(
  'hold_put',
  `
insert into millrace.video_puts as p (tenant_id, video_id, size_bytes, held_by, held_until)
select $1::uuid, $2::uuid, $3::bigint, $4::uuid, clock_timestamp() + make_interval(secs => $5)
where not exists (select from millrace.uploads u where u.video_id = $2 and u.held_until > clock_timestamp())
on conflict (video_id) do update
set size_bytes = excluded.size_bytes, held_by = excluded.held_by, held_until = excluded.held_until
where p.tenant_id = excluded.tenant_id and (p.held_until is null or p.held_until < clock_timestamp())
returning video_id`,
);
