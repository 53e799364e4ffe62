-- What came of a request with an idempotency key, written by the transaction that carried it out: its answer is made of it.
alter table millrace.idempotency_keys add column outcome jsonb;
