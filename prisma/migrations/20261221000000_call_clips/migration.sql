-- Clips of calls: a clip is a piece of a video or of a call's recording.
alter table millrace.clips alter column video_id drop not null;
alter table millrace.clips add column call_id uuid;
alter table millrace.clips add constraint clips_call_id_fkey foreign key (call_id) references millrace.calls(id) on delete cascade not valid;
alter table millrace.clips validate constraint clips_call_id_fkey;
alter table millrace.clips add constraint clips_source_check check (num_nonnulls(video_id, call_id) = 1) not valid;
alter table millrace.clips validate constraint clips_source_check;
create unique index clips_call_range_key on millrace.clips (call_id, t_start_ms, t_end_ms, padding_ms) where call_id is not null;
create index clips_call_idx on millrace.clips (tenant_id, call_id, id) where call_id is not null;

alter table millrace.deleted_media drop constraint deleted_media_kind_check;
alter table millrace.deleted_media add constraint deleted_media_kind_check check (kind in ('video', 'clip', 'call', 'call_clip'));
