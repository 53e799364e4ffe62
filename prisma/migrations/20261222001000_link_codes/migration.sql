-- Codes of 1,024 bits, by rotations, and one index that a search reads: its entries are those of one tenant and model, with their codes. Vectors of
-- before have codes of another kind; links are found by meaning again once they are enriched again.
truncate millrace.link_vectors;
update millrace.links set embedded_by = null where embedded_by is not null;

drop index millrace.link_vectors_codes_idx;
alter table millrace.link_vectors drop constraint link_vectors_pkey;
alter table millrace.link_vectors alter column code type bit(1024) using repeat('0', 1024)::bit(1024);
alter table millrace.link_vectors add constraint link_vectors_pkey primary key (tenant_id, model, link_id) include (code);
-- Of a link that is deleted.
create index link_vectors_link_idx on millrace.link_vectors (link_id);
