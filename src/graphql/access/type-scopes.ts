import type { Scope } from '../../core/scopes.ts';

/** What a narrowed key needs for the fields of a type: one of these. */
export interface TypeAccess {
  readonly anyOf: readonly Scope[];
  /** Fields that every key may see: what says which one it is, and of what it has just written how it stands. */
  readonly open?: readonly string[];
}

const JOBS: TypeAccess = { anyOf: ['jobs:read'] };
const VIDEOS: TypeAccess = { anyOf: ['videos:read'] };
const ADMIN: TypeAccess = { anyOf: ['admin'] };
const RECEIPT = ['id', 'uuid', 'status'];

/**
 * What is asked wherever a value of the type is reached, by whatever way. Types that are not here show nothing by themselves: they
 * belong to the one that leads to them (`JobError`, `VideoUrls`), hold what the caller gave, or lead on to types that are.
 */
export const TYPE_ACCESS: Readonly<Record<string, TypeAccess>> = {
  Job: { ...JOBS, open: RECEIPT },
  JobAttempt: JOBS,
  JobDependency: JOBS,
  JobLogEvent: JOBS,
  JobLogLine: JOBS,
  JobSummary: JOBS,
  JobUpdated: JOBS,
  VideoUpdated: VIDEOS,
  ClipUpdated: VIDEOS,
  // Whoever administers is shown what they changed.
  JobDefinition: { anyOf: ['jobs:read', 'admin'] },
  Tenant: { anyOf: ['jobs:read', 'admin'], open: ['id', 'uuid', 'slug', 'name'] },
  TenantStorage: JOBS,
  Video: { ...VIDEOS, open: RECEIPT },
  Clip: { ...VIDEOS, open: RECEIPT },
  // A frame or the stream of a video, whatever job shows it.
  ProgressPreview: VIDEOS,
  SearchConnection: VIDEOS,
  SearchEdge: VIDEOS,
  SearchHit: VIDEOS,
  Segment: VIDEOS,
  VideoTrack: VIDEOS,
  Worker: { anyOf: ['admin', 'jobs:read'] },
  ApiKey: ADMIN,
  AuditEntry: ADMIN,
  Member: ADMIN,
  UsageDay: ADMIN,
};

/**
 * What a narrowed key lacks to see a field.
 * @returns null when it may see it
 */
export function missingScope(
  scopes: readonly Scope[] | null,
  typeName: string,
  fieldName: string,
): Scope | null {
  const access = TYPE_ACCESS[typeName];
  if (scopes === null || access === undefined || access.open?.includes(fieldName) === true) return null;
  return access.anyOf.some((scope) => scopes.includes(scope)) ? null : (access.anyOf[0] as Scope);
}
