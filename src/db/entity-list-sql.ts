import { since, upTo } from './feed-rows.ts';
import { type Statement, statement } from './statement.ts';

/**
 * A table whose rows a list follows, with the columns `id`, `tenant_id`, `status`, `version` and
 * `changed_xid`.
 */
export interface ListedTable {
  /** `millrace.videos`. */
  readonly table: string;
  /** Column of who made a row. */
  readonly createdBy: string;
  /**
   * Statuses of rows that are being worked on. They come with every resumption: their jobs and progress may
   * have changed while the row did not.
   */
  readonly inWork: readonly string[];
  /** `kind` of what is left of deleted rows in `media_tombstones`; null where nothing is left. */
  readonly tombstones: string | null;
  /** Columns of what a row belongs to, at most one of them given. Lists may be of one parent then. */
  readonly parents?: readonly string[];
}

const ROW = 'r';
const NAME = /^[a-z_]+(\.[a-z_]+)?$/;

/**
 * Statement of what a fresh list of tenant $1's rows starts from: newest first, at most $2. Filters, each
 * null where it is not used: $3 statuses, $4 creator, and $5 the parent where rows have one. Locks nothing.
 * Each parent has a branch of its own, so that each uses its index; one of them is run.
 * @param name of the prepared statement
 */
export function initialEntities(name: string, listed: ListedTable): Statement {
  const { parents = [] } = checked(listed);
  if (parents.length === 0) return statement(name, `\n${initialPart(listed, 'true')}`);
  const ofOne = parents.map((column) => `$5::uuid is not null and ${ROW}.${column} = $5`);
  const branches = [...ofOne, '$5::uuid is null'].map((which) => `(${initialPart(listed, which)})`);
  return statement(
    name,
    `
select * from (
${branches.join('\nunion all\n')}
) as found
order by id desc
limit $2`,
  );
}

/**
 * Statement of a page of what happened to tenant $1's rows since a snapshot ($2 xmax, $3 xip) up to another
 * ($4, $5; null: the transaction's own), as `find_changed_jobs` has it: ids after $6, $7 rows, of creator $8;
 * `total` counts what is left, to $9 at most.
 * $10: the parent, where rows have one. Locks nothing.
 * @param name of the prepared statement
 */
export function changedEntities(name: string, listed: ListedTable): Statement {
  const { table, createdBy, inWork, tombstones } = checked(listed);
  const page = (row: string) => `${row}.tenant_id = $1 and ($6::uuid is null or ${row}.id > $6)`;
  const matching = `($8::text is null or ${ROW}.${createdBy} = $8)${ofParent(listed)}`;
  const columns = columnsOf(listed);
  const parts = [
    `select false as is_deleted, ${columns} from ${table} ${ROW}
  where ${page(ROW)} and ${since(ROW)} and ${upTo(ROW)} and ${matching}`,
  ];
  if (inWork.length > 0)
    parts.push(`select false, ${columns} from ${table} ${ROW}
  where ${page(ROW)} and ${ROW}.status in (${inWork.map((status) => `'${status}'`).join(', ')})
    and not ${since(ROW)} and ${upTo(ROW)} and ${matching}`);
  if (tombstones !== null)
    parts.push(`select true, m.id, m.tenant_id, m.kind, null, m.changed_xid::text, ${hasParents(listed) ? 'm.video_id::text' : 'null'}, m.created_by
  from millrace.media_tombstones m
  where ${page('m')} and m.kind = '${tombstones}' and ${since('m')} and ${upTo('m')}
    and ($8::text is null or m.created_by = $8)${hasParents(listed) ? ' and ($10::uuid is null or m.video_id = $10)' : ''}`);
  return statement(
    name,
    `
with missed as (
  ${parts.join('\n  union all\n  ')}
  order by id limit $9
)
select *, (count(*) over ())::integer as total from missed order by id limit $7`,
  );
}

export function hasParents({ parents = [] }: ListedTable): boolean {
  return parents.length > 0;
}

function columnsOf(listed: ListedTable): string {
  const { createdBy, parents = [] } = listed;
  const parent = hasParents(listed)
    ? `coalesce(${parents.map((column) => `${ROW}.${column}`).join(', ')})::text`
    : 'null::text';
  return `${ROW}.id, ${ROW}.tenant_id, ${ROW}.status, ${ROW}.version::text as version, ${ROW}.changed_xid::text as xid,
    ${parent} as subject_id, ${ROW}.${createdBy} as created_by`;
}

function initialPart(listed: ListedTable, which: string): string {
  return `select ${columnsOf(listed)}
from ${listed.table} ${ROW}
where ${ROW}.tenant_id = $1${which === 'true' ? '' : ` and ${which}`}
  and ($3::text[] is null or ${ROW}.status = any ($3)) and ($4::text is null or ${ROW}.${listed.createdBy} = $4)
order by ${ROW}.id desc
limit $2`;
}

function ofParent({ parents = [] }: ListedTable): string {
  if (parents.length === 0) return '';
  const one = parents.map((column) => `${ROW}.${column} = $10`).join(' or ');
  return ` and ($10::uuid is null or ${one})`;
}

/** These are written into SQL: names only. @throws Error */
function checked(listed: ListedTable): ListedTable {
  const { table, createdBy, inWork, tombstones, parents = [] } = listed;
  const bad = [table, createdBy, ...inWork, ...parents, ...(tombstones === null ? [] : [tombstones])].find(
    (name) => !NAME.test(name),
  );
  if (bad !== undefined) throw new Error(`A listed table has ${JSON.stringify(bad)} where a name is due`);
  return listed;
}
