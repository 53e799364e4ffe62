import { DEFAULT_PAGE_SIZE, type ListedPage, MAX_PAGE_SIZE, type Page } from '../../jobs/page.ts';
import { builder } from '../builder.ts';
import { ApiKeyType } from './api-key.ts';
import { AuditEntryType } from './audit-entry.ts';
import { JobType } from './job.ts';
import { JobDefinitionType } from './job-definition.ts';
import { MemberType } from './member.ts';

/** The field that says whether a page ended where looking did. @param rows what the list has */
export function partialPage(rows: string) {
  return {
    description: `True when looking for ${rows} ended before the page was full and before the list did: the filter matches few of many ${rows}. The page may be short, or empty; go on from \`pageInfo.endCursor\` (or \`startCursor\` with \`last\`), which stands at the last one that was looked at.`,
    resolve: (page: object) => 'isPartial' in page && page.isPartial === true,
  };
}

export const JobConnection = builder.connectionObject(
  {
    type: JobType,
    name: 'JobConnection',
    description: 'A page of jobs, newest first unless `orderBy` says otherwise.',
    fields: (t) => ({ isPartial: t.boolean(partialPage('jobs')) }),
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

/** A page in Relay's form. Where looking ended early, the cursor at that end stands where it ended. */
export function toConnection<Row>(page: ListedPage<Row>) {
  const connection = connectionOf(
    page,
    page.rows.map((node, at) => ({ cursor: page.cursors[at] ?? '', node })),
  );
  if (page.stoppedCursor === null) return connection;
  const end = page.fromEnd ? { startCursor: page.stoppedCursor } : { endCursor: page.stoppedCursor };
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
 * Cost of a list field: what it asks for times the size of its page. A size that no page has costs as the
 * largest page: the field refuses it by name, which says more than a cost.
 */
export function pageComplexity(args: {
  first?: number | null | undefined;
  last?: number | null | undefined;
}) {
  const asked = Math.max(args.first ?? 0, args.last ?? 0);
  const isAsked = args.first != null || args.last != null;
  return { field: 1, multiplier: isAsked ? Math.min(Math.max(1, asked), MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE };
}
