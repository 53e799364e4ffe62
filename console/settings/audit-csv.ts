import type { MillraceClient } from '../../src/client/index.ts';
import { type AuditFilter, AuditLog, type AuditLogResult } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';

type Entry = NonNullable<AuditLogResult['auditLog']>['nodes'][number];

const PAGE_SIZE = 100;
const MAX_ENTRIES = 10_000;
const HEAD = ['createdAt', 'actor', 'action', 'targetType', 'targetKey', 'details'] as const;

/** A value in a file that spreadsheets open: they must not take it for a formula. */
function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The entries that match, newest first, at most 10,000, as CSV with a head. @throws MillraceError */
export async function auditAsCsv(client: MillraceClient, filter: AuditFilter): Promise<string> {
  const entries: Entry[] = [];
  let after: string | null = null;
  do {
    const { auditLog }: AuditLogResult = await run(client, AuditLog, { filter, first: PAGE_SIZE, after });
    entries.push(...(auditLog?.nodes ?? []));
    after = auditLog?.pageInfo.hasNextPage === true ? auditLog.pageInfo.endCursor : null;
  } while (after !== null && entries.length < MAX_ENTRIES);
  const lines = entries.map((entry) => HEAD.map((name) => cell(entry[name])).join(','));
  return `${[HEAD.join(','), ...lines].join('\r\n')}\r\n`;
}
