-- A claim writes a new version of each job, with an entry more in the indexes of its id: beside the first one, whose leaf a stream of
-- enqueues has filled to nine tenths. So half the claims looked in vain for entries to remove (their jobs had just been put in) and
-- then split the leaf: a tenth of a claim. Leaves are left half empty instead, which is how full they were after the splits.
alter index millrace.jobs_pkey set (fillfactor = 45);
alter index millrace.jobs_history_idx set (fillfactor = 45);
