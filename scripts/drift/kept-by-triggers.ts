/**
 * Relations of schema.prisma that are no foreign keys in the database: on the hottest tables those cost a
 * third of an insert. Triggers keep what they would (see prisma/routines/jobs). One that came back must be
 * taken off this list.
 */
export const KEPT_BY_TRIGGERS: ReadonlySet<string> = new Set([
  'foreign key of jobs (tenant_id) to tenants (id) on delete restrict on update no action',
  'foreign key of jobs (definition_id) to job_definitions (id) on delete restrict on update no action',
  'foreign key of stored_attempts (job_id) to jobs (id) on delete cascade on update no action',
  'foreign key of tenant_jobs (job_id) to jobs (id) on delete cascade on update no action',
  'foreign key of job_progress (job_id) to jobs (id) on delete cascade on update no action',
  'foreign key of job_dependencies (job_id) to jobs (id) on delete cascade on update no action',
  'foreign key of job_dependencies (depends_on_id) to jobs (id) on delete cascade on update no action',
  'foreign key of artifacts (job_id) to jobs (id) on delete set null on update no action',
  'foreign key of clips (job_id) to jobs (id) on delete set null on update no action',
]);
