/**
 * A table of a domain whose changes are streamed. Its column `changed_xid` (xid8) has an index, and is set by
 * the row's triggers.
 */
export interface FeedTable {
  /** `millrace.videos`. The expressions below may name its row as `r`. */
  readonly table: string;
  /** What the rows are, as an SQL expression: `'video'`, or a column of a table for several kinds. */
  readonly entity: string;
  /** Rows of it are what is left of those that were deleted. */
  readonly isOfDeleted: boolean;
  readonly id: string;
  readonly status: string;
  readonly version: string;
  /** Who made it: `user:<sub>`; `null` where nobody is kept. */
  readonly createdBy: string;
  /** The id of what it belongs to; `null` where it stands alone. */
  readonly parentId: string;
}

/** The usual columns; a domain overrides those that its table has by other names. */
export const FEED_COLUMNS = {
  isOfDeleted: false,
  id: 'r.id',
  status: 'r.status',
  version: 'r.version',
  createdBy: 'r.created_by',
  parentId: 'null',
} as const;
