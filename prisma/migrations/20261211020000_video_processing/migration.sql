-- How a video's pictures are looked at and its texts read, where that is not as the installation says.
alter table millrace.videos add column processing jsonb check (jsonb_typeof(processing) = 'object');
create index videos_team_idx on millrace.videos (tenant_id, team_id, id) where team_id is not null;
