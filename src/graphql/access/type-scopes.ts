import type { Scope } from '../../core/scopes.ts';
import type { TypeAccess } from './access-types.ts';

export const JOBS: TypeAccess = { anyOf: ['jobs:read'] };
export const VIDEOS: TypeAccess = { anyOf: ['videos:read'] };
export const ADMIN: TypeAccess = { anyOf: ['admin'] };
export const RECEIPT = ['id', 'uuid', 'status'];

/**
 * What is asked wherever a value of the type is reached, by whatever way. Types that are not here show
 * nothing by themselves: they belong to the one that leads to them (`JobError`, `VideoUrls`), hold what the
 * caller gave, or lead on to types that are.
 */
export const TYPE_ACCESS: Readonly<Record<string, TypeAccess>> = {
  Job: { ...JOBS, open: RECEIPT },
  JobArtifact: JOBS,
  JobAttempt: JOBS,
  JobDependency: JOBS,
  JobLogEvent: JOBS,
  JobLogLine: JOBS,
  JobStatistics: JOBS,
  JobSummary: JOBS,
  JobUpdated: JOBS,
  // Administrators are shown what they changed.
  JobDefinition: { anyOf: ['jobs:read', 'admin'] },
  Tenant: { anyOf: ['jobs:read', 'admin'], open: ['id', 'uuid', 'slug', 'name'] },
  TenantStorage: JOBS,
  // A frame or the stream of a video, whatever job shows it.
  ProgressPreview: VIDEOS,
  Worker: { anyOf: ['admin', 'jobs:read'] },
  WorkerRuns: { anyOf: ['admin', 'jobs:read'] },
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
  types: Readonly<Record<string, TypeAccess>>,
  scopes: readonly Scope[] | null,
  typeName: string,
  fieldName: string,
): Scope | null {
  const access = Object.hasOwn(types, typeName) ? types[typeName] : undefined;
  if (scopes === null || access === undefined || access.open?.includes(fieldName) === true) return null;
  return access.anyOf.some((scope) => scopes.includes(scope)) ? null : (access.anyOf[0] as Scope);
}
