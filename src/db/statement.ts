import type { ClientBase, QueryResult, QueryResultRow } from 'pg';

/**
 * One SQL statement. The name is the file's, the export's in snake case and the prepared statement's, and the text begins
 * with it as a comment: a line in `pg_stat_activity` or a log leads to one file.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Declares a statement of `db/sql`. */
export function statement(name: string, text: string): Statement {
  return { name, text: `/* ${name} */ ${text.trim()}` };
}

/** Behind a pooler in transaction mode without prepared statements, names must be left away. */
export interface StatementOptions {
  readonly prepared: boolean;
}

/** Runs a statement on a client that the caller holds. */
export function run<Row extends QueryResultRow>(
  client: ClientBase,
  { name, text }: Statement,
  values: readonly unknown[],
  options: StatementOptions,
): Promise<QueryResult<Row>> {
  return client.query<Row>(
    options.prepared ? { name, text, values: [...values] } : { text, values: [...values] },
  );
}
