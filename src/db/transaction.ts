import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { Statement } from './statement.ts';

/** A running transaction: statements of `db/sql` go through it. */
export interface Transaction {
  query<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
  ): Promise<QueryResult<Row>>;
  readonly client: PoolClient;
}
