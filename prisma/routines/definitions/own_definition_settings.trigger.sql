create or replace trigger own_definition_settings before update on millrace.job_definitions
  for each row execute function millrace.own_definition_settings();
