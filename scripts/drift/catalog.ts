import type { ClientBase } from 'pg';

export interface Column {
  /** As Postgres writes it, with length and precision: `timestamp with time zone`, `text[]`. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

/** What a Postgres schema holds, in a form that two schemas of different names can be compared in. */
export interface Catalog {
  readonly tables: ReadonlySet<string>;
  /** By `table.column`. */
  readonly columns: ReadonlyMap<string, Column>;
  /**
   * Primary keys, unique constraints and whole unique indexes, foreign keys with their actions; one readable
   * line each.
   */
  readonly constraints: ReadonlySet<string>;
}

const COLUMNS = `
select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type,
       not a.attnotnull as is_nullable, (a.atthasdef or a.attidentity <> '') as has_default
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
 where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and not c.relispartition
   and c.relname <> '_prisma_migrations'
 order by c.relname, a.attnum`;

// Unique keys are read from the indexes, so that a constraint and an index that do the same count as the
// same. Partial ones and ones over expressions are left out: Prisma cannot say them.
const KEYS = `
select c.relname as table_name, i.indisprimary as is_primary,
       array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k (attnum, position)
               join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
              where k.position <= i.indnkeyatts order by k.position) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid
 where c.relnamespace = to_regnamespace($1) and i.indisunique and i.indpred is null and i.indexprs is null
   and c.relname <> '_prisma_migrations' and not c.relispartition`;

const FOREIGN_KEYS = `
select c.relname as table_name, t.relname as target, f.confdeltype::text as on_delete, f.confupdtype::text as on_update,
       array(select a.attname::text from unnest(f.conkey) with ordinality k (attnum, position)
               join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum order by k.position) as columns,
       array(select a.attname::text from unnest(f.confkey) with ordinality k (attnum, position)
               join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.attnum order by k.position) as target_columns
  from pg_constraint f
  join pg_class c on c.oid = f.conrelid
  join pg_class t on t.oid = f.confrelid
 where c.relnamespace = to_regnamespace($1) and f.contype = 'f' and f.conparentid = 0`;

const ACTIONS: Readonly<Record<string, string>> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

/** Reads the tables, columns and keys of one Postgres schema; a schema that does not exist reads as empty. */
export async function readCatalog(client: ClientBase, schemaName: string): Promise<Catalog> {
  const columns = await client.query<{
    table_name: string;
    column_name: string;
    type: string;
    is_nullable: boolean;
    has_default: boolean;
  }>(COLUMNS, [schemaName]);
  const keys = await client.query<{ table_name: string; is_primary: boolean; columns: string[] }>(KEYS, [
    schemaName,
  ]);
  const foreignKeys = await client.query<{
    table_name: string;
    target: string;
    on_delete: string;
    on_update: string;
    columns: string[];
    target_columns: string[];
  }>(FOREIGN_KEYS, [schemaName]);
  return {
    tables: new Set(columns.rows.map((row) => row.table_name)),
    columns: new Map(
      columns.rows.map((row) => [
        `${row.table_name}.${row.column_name}`,
        { type: row.type, isNullable: row.is_nullable, hasDefault: row.has_default },
      ]),
    ),
    constraints: new Set([
      ...keys.rows.map(
        (row) =>
          `${row.is_primary ? 'primary key' : 'unique key'} of ${row.table_name} (${row.columns.join(', ')})`,
      ),
      ...foreignKeys.rows.map(
        (row) =>
          `foreign key of ${row.table_name} (${row.columns.join(', ')}) to ${row.target} (${row.target_columns.join(', ')})` +
          ` on delete ${ACTIONS[row.on_delete]} on update ${ACTIONS[row.on_update]}`,
      ),
    ]),
  };
}
