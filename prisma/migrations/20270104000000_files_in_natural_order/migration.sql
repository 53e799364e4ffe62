-- Files by name with their numbers as numbers: 4933.jpg before 14733.jpg.
create collation if not exists millrace.natural_order (provider = icu, locale = 'und-u-kn-true');
drop index concurrently if exists millrace.artifacts_named_idx;
create index concurrently artifacts_named_idx on millrace.artifacts (job_id, kind, key collate millrace.natural_order);
drop index concurrently if exists millrace.artifacts_made_idx;
