import { createContext, useContext } from 'react';
import type { ViewerResult } from '../api/operations.gen.ts';

export type Viewer = ViewerResult['viewer'];
type Scope = NonNullable<Viewer['scopes']>[number];

export const ViewerContext = createContext<Viewer | null>(null);

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (viewer === null) throw new Error('Nobody is signed in above this component');
  return viewer;
}

const OF_ADMINS: ReadonlySet<Scope> = new Set(['ADMIN']);

/** Whether the caller may do what needs this scope: what would be refused is not offered. */
export function may(viewer: Viewer, scope: Scope): boolean {
  if (viewer.scopes !== null && !viewer.scopes.includes(scope)) return false;
  return !OF_ADMINS.has(scope) || viewer.role === 'TENANT_ADMIN' || viewer.role === 'SUPER_ADMIN';
}

export function useMay(scope: Scope): boolean {
  return may(useViewer(), scope);
}

/** Whether the caller may cancel and retry jobs, which admins do. */
export function useMayOperate(): boolean {
  const viewer = useViewer();
  return may(viewer, 'JOBS_WRITE') && (viewer.role === 'TENANT_ADMIN' || viewer.role === 'SUPER_ADMIN');
}
