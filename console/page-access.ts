import type { PagePath } from './page-params.ts';
import { may, type Viewer } from './session/viewer.ts';

type Scope = NonNullable<Viewer['scopes']>[number];

/** Whom a page is shown to. */
interface PageAccess {
  readonly scope: Scope;
  /** The only role that is shown it. */
  readonly role?: Viewer['role'];
}

const JOBS: PageAccess = { scope: 'JOBS_READ' };
const MEDIA: PageAccess = { scope: 'VIDEOS_READ' };
const ADMINS: PageAccess = { scope: 'ADMIN' };
const OPERATORS: PageAccess = { scope: 'ADMIN', role: 'SUPER_ADMIN' };

/** What each page takes. The navigation leaves out the others, and their addresses name what is missing. */
export const PAGE_ACCESS: Readonly<Record<PagePath, PageAccess>> = {
  '/': JOBS,
  '/jobs': JOBS,
  '/jobs/$jobId': JOBS,
  '/definitions': JOBS,
  '/definitions/$key': JOBS,
  '/schedules': JOBS,
  '/triggers': JOBS,
  '/webhooks': ADMINS,
  '/workers': OPERATORS,
  '/videos': MEDIA,
  '/videos/$videoId': MEDIA,
  '/calls': MEDIA,
  '/calls/$callId': MEDIA,
  '/search': MEDIA,
  '/links': JOBS,
  '/links/$linkId': JOBS,
  '/messages': JOBS,
  '/tenants': OPERATORS,
  '/settings': ADMINS,
};

/** What a person lacks for a page, in words; null for nothing. */
export function lackingFor(viewer: Viewer, page: PagePath): string | null {
  const { scope, role } = PAGE_ACCESS[page];
  if (role !== undefined && viewer.role !== role) return `the role ${lower(role, ' ')}`;
  if (may(viewer, scope)) return null;
  const isRole = viewer.scopes === null || viewer.scopes.includes(scope);
  return isRole ? 'the role tenant admin' : `the scope ${lower(scope, ':')}`;
}

function lower(name: string, separator: string): string {
  return name.toLowerCase().replaceAll('_', separator);
}
