-- Deleted calls leave a trace for the feed, as videos, clips and links do.
alter table millrace.media_tombstones drop constraint media_tombstones_kind_check;
alter table millrace.media_tombstones add constraint media_tombstones_kind_check check (kind in ('video', 'clip', 'link', 'call'));
