import { type Statement, statement } from '../../statement.ts';

/** Tables that fill and empty within minutes, and that the queue's statements join by their ids. The worker role may analyze them. */
export const ANALYZED_TABLES = ['jobs', 'job_attempts', 'job_dependencies', 'job_progress'] as const;

export type AnalyzedTable = (typeof ANALYZED_TABLES)[number];

/** Takes the statistics of a table anew. Locks it against VACUUM and DDL; does nothing when somebody else is at it. */
export function analyzeTable(table: AnalyzedTable): Statement {
  return statement(`analyze_${table}`, `analyze (skip_locked) millrace.${table}`);
}
