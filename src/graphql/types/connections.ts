import { cursorOf } from '../../jobs/list-cursor.ts';
import { DEFAULT_PAGE_SIZE, type ListedPage, MAX_PAGE_SIZE, type Page } from '../../jobs/page.ts';
import { builder } from '../builder.ts';
import { ApiKeyType } from './api-key.ts';
import { AuditEntryType } from './audit-entry.ts';
import { JobType } from './job.ts';
import { JobDefinitionType } from './job-definition.ts';
import { MemberType } from './member.ts';

export const JobConnection = builder.connectionObject(
  {
    type: JobType,
    name: 'JobConnection',
    description: 'A page of jobs, newest first.',
    fields: (t) => ({
      isPartial: t.boolean({
        description:
          'True when looking for jobs ended before the page was full and before the list did: the filter matches few of many jobs. The page may be short, or empty; go on from `pageInfo.endCursor` (or `startCursor` with `last`), which stands at the last job that was looked at.',
        resolve: (page) => (page as { readonly isPartial?: boolean }).isPartial === true,
      }),
    }),
  },
  { name: 'JobEdge', description: 'A job with its cursor.' },
);

export const JobDefinitionConnection = builder.connectionObject(
  {
    type: JobDefinitionType,
    name: 'JobDefinitionConnection',
    description: 'A page of job definitions, by their keys from a to z.',
  },
  { name: 'JobDefinitionEdge', description: 'A job definition with its cursor.' },
);

export const AuditEntryConnection = builder.connectionObject(
  {
    type: AuditEntryType,
    name: 'AuditEntryConnection',
    description: 'A page of the audit log, newest first.',
  },
  { name: 'AuditEntryEdge', description: 'An entry with its cursor.' },
);

export const ApiKeyConnection = builder.connectionObject(
  { type: ApiKeyType, name: 'ApiKeyConnection', description: 'A page of API keys, newest first.' },
  { name: 'ApiKeyEdge', description: 'An API key with its cursor.' },
);

export const MemberConnection = builder.connectionObject(
  { type: MemberType, name: 'MemberConnection', description: 'A page of members, newest first.' },
  { name: 'MemberEdge', description: 'A member with its cursor.' },
);

/** A page of rows that have an id, in Relay's form. Where looking ended early, the cursor at that end stands where it ended. */
export function toConnection<Row extends { id: string }>(page: ListedPage<Row>) {
  const connection = connectionOf(
    page,
    page.rows.map((row) => ({ cursor: cursorOf(page.list, row.id), node: row })),
  );
  if (page.stoppedAt === null) return connection;
  const stopped = cursorOf(page.list, page.stoppedAt);
  const end = page.direction === 'desc' ? { endCursor: stopped } : { startCursor: stopped };
  return { ...connection, pageInfo: { ...connection.pageInfo, ...end }, isPartial: true };
}

/** Edges in Relay's form, with where their page lies. */
export function connectionOf<Edge extends { readonly cursor: string }>(
  { hasNextPage, hasPreviousPage }: Omit<Page<unknown>, 'rows'>,
  edges: Edge[],
) {
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor } };
}

/**
 * Cost of a list field: what it asks for times the size of its page. A size that no page has costs as the largest page: the field
 * refuses it by name, which says more than a cost.
 */
export function pageComplexity(args: {
  first?: number | null | undefined;
  last?: number | null | undefined;
}) {
  const asked = Math.max(args.first ?? 0, args.last ?? 0);
  const isAsked = args.first != null || args.last != null;
  return { field: 1, multiplier: isAsked ? Math.min(Math.max(1, asked), MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE };
}
