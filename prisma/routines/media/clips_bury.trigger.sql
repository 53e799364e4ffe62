create or replace trigger clips_bury after delete on millrace.clips
referencing old table as gone for each statement execute function millrace.bury_clips();
