create or replace function millrace.can_notify() returns boolean language sql volatile parallel restricted
return pg_notification_queue_usage() < 0.5;
