create or replace trigger videos_bury after delete on millrace.videos
referencing old table as gone for each statement execute function millrace.bury_videos();
