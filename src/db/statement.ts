import type { ClientBase, QueryResult, QueryResultRow } from 'pg';

/**
 * One SQL statement. The name is the file's, the export's in snake case and the prepared statement's, and the
 * text begins with it as a comment: a line in `pg_stat_activity` or a log leads to one file.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * How long it may take, for one whose work is as long as a video: more than what counts as lost for all
   * others.
   */
  readonly timeoutMs?: number;
  /** Runs all the time: those of one name keep a connection to themselves (DedicatedConnections). */
  readonly dedicatedTo?: string;
  /**
   * Its rows are arrays: for hundreds of them at a time, whose objects the driver puts together key by key.
   */
  readonly asArrays?: boolean;
}

/** Declares a statement of `db/sql`. */
export function statement(
  name: string,
  text: string,
  options: Pick<Statement, 'timeoutMs' | 'dedicatedTo' | 'asArrays'> = {},
): Statement {
  return { name, text: `/* ${name} */ ${text.trim()}`, ...options };
}

/** Behind a pooler in transaction mode without prepared statements, names must be omitted. */
export interface StatementOptions {
  readonly prepared: boolean;
}

/** Runs a statement on a client that the caller holds. */
export function run<Row extends QueryResultRow>(
  client: ClientBase,
  { name, text, timeoutMs, asArrays }: Statement,
  values: readonly unknown[],
  options: StatementOptions,
): Promise<QueryResult<Row>> {
  const config = {
    text,
    values: [...values],
    ...(options.prepared && { name }),
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    ...(asArrays === true && { rowMode: 'array' }),
  };
  return client.query<Row>(config);
}
