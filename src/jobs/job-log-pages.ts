import { LOG_START, type LogPosition } from '../core/job-log.ts';
import { decodeLogCursor } from '../core/log-cursor.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { findLogPages as statement } from '../db/sql/read/find-log-pages.ts';
import { type PageArgs, sizeOf } from './page.ts';

/** A line of a job's log as it is stored. */
export interface LogLineRow extends LogPosition {
  readonly level: string;
  readonly message: string;
  readonly data: unknown;
  readonly loggedAt: Date;
}

/** Which page of which log. */
export interface LogPageKey {
  readonly jobId: string;
  readonly after: LogPosition | null;
  readonly before: LogPosition | null;
  readonly size: number;
  readonly fromEnd: boolean;
}

/** A page of a log, oldest line first. */
export interface LogPage {
  readonly rows: readonly LogLineRow[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** Behind every line: integers in Postgres end here. */
const LOG_END: LogPosition = { runNo: 2 ** 31 - 1, lineNo: 2 ** 31 - 1 };

/** @throws DomainError `InvalidArgument` naming `first`, `last`, `after` or `before` */
export function logPageKey(jobId: string, args: PageArgs): LogPageKey {
  return {
    jobId,
    after: args.after == null ? null : decodeLogCursor(jobId, args.after, 'after'),
    before: args.before == null ? null : decodeLogCursor(jobId, args.before, 'before'),
    ...sizeOf(args),
  };
}

/** Reads pages of logs of a tenant's jobs, all in one statement; in the order of their keys. */
export async function findLogPages(
  reads: ReadTransaction,
  tenantId: string,
  keys: readonly LogPageKey[],
): Promise<LogPage[]> {
  const rows = await reads.query<LogLineRow & { readonly place: number }>(statement, [
    keys.map(({ jobId }) => jobId),
    keys.map(({ after }) => (after ?? LOG_START).runNo),
    keys.map(({ after }) => (after ?? LOG_START).lineNo),
    keys.map(({ before }) => (before ?? LOG_END).runNo),
    keys.map(({ before }) => (before ?? LOG_END).lineNo),
    // One more than the page holds says whether there is more.
    keys.map(({ size }) => size + 1),
    keys.map(({ fromEnd }) => fromEnd),
    tenantId,
  ]);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return keys.map((key, index) => pageOf(key, byPlace.get(index + 1) ?? []));
}

function pageOf({ size, fromEnd, after, before }: LogPageKey, fetched: readonly LogLineRow[]): LogPage {
  const hasMore = fetched.length > size;
  const rows = fromEnd ? fetched.slice(-size) : fetched.slice(0, size);
  if (fromEnd) return { rows, hasNextPage: before !== null, hasPreviousPage: hasMore };
  return { rows, hasNextPage: hasMore, hasPreviousPage: after !== null };
}
