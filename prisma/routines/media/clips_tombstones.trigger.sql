create or replace trigger clips_tombstones after delete on millrace.clips
referencing old table as gone for each statement execute function millrace.leave_clip_tombstones();
