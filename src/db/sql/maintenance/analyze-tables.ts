import { statement } from '../../statement.ts';

/**
 * Tables that fill and empty within minutes, and that the queue's statements join by their ids. The worker
 * role may analyze them.
 */
export const ANALYZED_TABLES = [
  'jobs',
  'tenant_jobs',
  'stored_attempts',
  'job_dependencies',
  'job_progress',
] as const;

/**
 * Takes their statistics again. Locks each against VACUUM and DDL meanwhile; leaves out one that somebody
 * else is at.
 */
export const analyzeTables = statement(
  'analyze_tables',
  `analyze (skip_locked) ${ANALYZED_TABLES.map((name) => `millrace.${name}`).join(', ')}`,
);
