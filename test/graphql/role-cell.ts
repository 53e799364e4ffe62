import type { Role } from '../../src/core/actor.ts';

/** The rows that documents name. */
export interface RoleRows {
  readonly jobId: string;
  readonly videoId: string;
  readonly linkId: string;
  /** These may be deleted. */
  readonly canceled: { readonly videoId: string; readonly clipId: string };
}

export interface RoleCell {
  readonly roles: readonly Role[];
  document(rows: RoleRows): string;
}

export const READERS: readonly Role[] = ['member', 'tenant_admin', 'super_admin'];
export const ADMINS: readonly Role[] = ['tenant_admin', 'super_admin'];
export const OPERATORS: readonly Role[] = ['super_admin'];
export const WORKERS: readonly Role[] = ['worker'];
