-- Why a stage failed, in the form that jobs and clips have: type, message, timestamp, retryCount.
alter table millrace.videos alter column error type jsonb
  using case when error is not null then jsonb_build_object('type', 'Error', 'message', error) end;
