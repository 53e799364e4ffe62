-- Streams and pictures that are made of an original count in the tenant's storage. Their rows are thousands a video: the sum is written at the
-- end of each stage, so that an upload adds up videos alone.
alter table millrace.videos add column made_bytes bigint not null default 0;
