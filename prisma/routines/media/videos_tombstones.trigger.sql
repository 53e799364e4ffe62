create or replace trigger videos_tombstones after delete on millrace.videos
referencing old table as gone for each statement execute function millrace.leave_video_tombstones();
