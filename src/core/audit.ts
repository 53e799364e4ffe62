/** What people do that is kept in `millrace.audit_log`: a verb of a thing. */
export const AUDIT_ACTIONS = [
  'job.cancel',
  'job.redact',
  'job.retry',
  'job.replay',
  'job.update',
  'jobs.cancel',
  'jobs.retry',
  'definition.archive',
  'definition.create',
  'definition.pause',
  'definition.restore',
  'definition.resume',
  'definition.update',
  'tenant.create',
  'tenant.delete',
  'tenant.pause',
  'tenant.resume',
  'tenant.update',
  'lane_limit.set',
  'lane_limit.remove',
  'member.set',
  'member.remove',
  'api_key.create',
  'api_key.revoke',
  'token.revoke',
  'video.update',
  'video.delete',
  'clip.delete',
  'link.delete',
  'call.delete',
  'trigger.create',
  'trigger.update',
  'trigger.delete',
  'trigger.run',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.rotate_secret',
  'webhook.redeliver',
  'bulk_action.start',
  'bulk_action.stop',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an action is done to. A selection of jobs is `jobs`. */
export const AUDIT_TARGETS = [
  'job',
  'jobs',
  'definition',
  'tenant',
  'lane_limit',
  'member',
  'api_key',
  'token',
  'video',
  'clip',
  'link',
  'call',
  'trigger',
  'webhook',
  'bulk_action',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** One thing that somebody did. */
export interface AuditRecord {
  /** Whose log it goes to; the system tenant's for what belongs to the installation. */
  readonly tenantId: string;
  /** As `jobs.created_by`: `user:<sub>`, `key:<id>`, `system`, `cli:<login>`. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly targetType: AuditTarget;
  /** Null for what has no name of its own: a selection of jobs. */
  readonly targetId: string | null;
  /** Old and new values, filter, counts. Never a payload, never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
}
