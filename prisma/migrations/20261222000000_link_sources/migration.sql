-- A source of webhooks may make links: of each record that a database webhook says was inserted, by the URL in this field of it.
alter table millrace.webhook_sources
  add column link_url_field text check (length(link_url_field) between 1 and 200);
