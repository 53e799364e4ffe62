/** A row of a video or a clip as the feed's statements give it: what changed, and what filters look at. */
export interface FeedMediaRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: string;
  readonly version: string;
  readonly xid: string;
  /** Of a clip: its video. */
  readonly subject_id: string | null;
  readonly created_by: string | null;
}

export interface ChangedMediaRow extends Omit<FeedMediaRow, 'status' | 'version'> {
  readonly kind: 'video' | 'clip' | 'mediaRemoved';
  /** Of what was deleted: `video` or `clip`. */
  readonly status: string;
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
