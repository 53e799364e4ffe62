/** A row of a domain's entity as the feed's statements give it: what changed, and what filters look at. */
export interface FeedEntityRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: string;
  readonly version: string;
  readonly xid: string;
  /** The id of what it belongs to. */
  readonly subject_id: string | null;
  readonly created_by: string | null;
}

/** The same of what a statement finds that happened since. */
export interface ChangedEntityRow extends Omit<FeedEntityRow, 'version'> {
  readonly is_deleted: boolean;
  readonly version: string | null;
  readonly total: number;
}

/** What began after the snapshot ($2 its xmax), and what was under way in it ($3). */
export function since(row: string): string {
  return `(${row}.changed_xid >= $2::xid8 or ${row}.changed_xid = any ($3::xid8[]))`;
}

/** What the snapshot that is being read up to shows: $4 its xmax, $5 its xip; null: the transaction's own. */
export function upTo(row: string): string {
  return `($4::xid8 is null or (${row}.changed_xid < $4 and ${row}.changed_xid <> all ($5::xid8[])))`;
}
