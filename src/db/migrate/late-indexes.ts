/** A migration's SQL without the indexes that are built after it, beside the work that goes on. */
export interface SplitMigration {
  readonly rest: string;
  /** Statements for outside a transaction, in their order; may be begun again. */
  readonly indexes: readonly string[];
}

const CREATE_INDEX = /^create (unique )?index (\w+) on millrace\.(\w+)[^;]*;/gm;

/**
 * Takes out the indexes of tables that the migration does not make: built within it, an index holds up all
 * writers of its table for as long as the table takes to be read.
 */
export function splitMigration(sql: string): SplitMigration {
  const indexes: string[] = [];
  // A body of a function may have statements of its own.
  if (sql.includes('$$')) return { rest: sql, indexes };
  const rest = sql.replaceAll(
    CREATE_INDEX,
    (statement: string, unique: string | undefined, name: string, table: string) => {
      if (new RegExp(`^create table (if not exists )?millrace\\.${table}\\b`, 'm').test(sql))
        return statement;
      const kind = `create ${unique ?? ''}index`;
      indexes.push(
        `drop index concurrently if exists millrace.${name}`,
        statement.replace(kind, `${kind} concurrently`).replace(/;$/, ''),
      );
      return '';
    },
  );
  return { rest, indexes };
}
