/**
 * What people do that is kept in `millrace.audit_log`, a verb of a thing, and what the API's documentation
 * says of it.
 */
export const AUDIT_ACTION_DESCRIPTIONS = {
  'job.cancel': 'A job was canceled, or its worker asked to stop.',
  'job.redact': 'A job was emptied: payload, result, outputs and log.',
  'job.retry': 'A job was put back into the queue.',
  'job.replay': 'A new job was made from an ended one.',
  'job.update': 'The priority or the time of a job was changed.',
  'jobs.cancel': 'A selection of jobs was canceled.',
  'jobs.retry': 'A selection of jobs was put back into the queue.',
  'definition.archive': 'A job definition that no code declares was archived.',
  'definition.create': 'A job definition was made at run time.',
  'definition.restore': 'An archived job definition was taken back.',
  'definition.pause': 'A job definition was paused.',
  'definition.resume': 'A paused job definition was resumed.',
  'definition.update': 'The settings of a job definition were changed.',
  'tenant.create': 'The tenant was made.',
  'tenant.delete': 'A tenant was deleted, with all that it had.',
  'tenant.pause': 'The tenant was paused.',
  'tenant.resume': 'The paused tenant was resumed.',
  'tenant.update': 'The tenant’s name or limits were changed.',
  'lane_limit.set': 'The tenant’s own limits for one definition were set.',
  'lane_limit.remove': 'The tenant’s own limits for one definition were removed.',
  'member.set': 'A person was put on the list of members, or got another role.',
  'member.remove': 'A person was removed from the list of members.',
  'api_key.create': 'An API key was made.',
  'api_key.revoke': 'An API key was revoked.',
  'token.revoke': 'Tokens were revoked.',
  'video.update': 'The title or the languages of a video were changed.',
  'video.delete': 'A video was deleted.',
  'clip.delete': 'A clip was deleted.',
  'link.delete': 'A link was deleted.',
  'call.delete': 'A call was deleted.',
  'trigger.create': 'A trigger was made.',
  'trigger.update': 'A trigger was changed, enabled or disabled.',
  'trigger.delete': 'A trigger was deleted.',
  'trigger.run': 'A schedule was run by hand.',
  'webhook.create': 'A webhook endpoint or source was made.',
  'webhook.update': 'A webhook endpoint or source was changed, paused or resumed.',
  'webhook.delete': 'A webhook endpoint or source was deleted.',
  'webhook.rotate_secret': 'A webhook endpoint or source got a new secret.',
  'webhook.redeliver': 'An event was delivered to a webhook endpoint again.',
  'bulk_action.start': 'A bulk action was begun.',
  'bulk_action.stop': 'A bulk action was asked to stop.',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTION_DESCRIPTIONS;
export const AUDIT_ACTIONS = Object.keys(AUDIT_ACTION_DESCRIPTIONS) as readonly AuditAction[];

/** What an action is done to, with its description. A selection of jobs is `jobs`. */
export const AUDIT_TARGET_DESCRIPTIONS = {
  job: 'A job.',
  jobs: 'A selection of jobs.',
  definition: 'A job definition.',
  tenant: 'The tenant.',
  lane_limit: 'The tenant’s own limits for one definition.',
  member: 'A person on the list of members.',
  api_key: 'An API key.',
  token: 'A token, or all tokens of a person.',
  video: 'A video.',
  clip: 'A clip.',
  link: 'A link.',
  call: 'A call.',
  trigger: 'A trigger.',
  webhook: 'A webhook endpoint or source.',
  bulk_action: 'A cancel or a retry of everything that a filter chooses.',
} as const;
export type AuditTarget = keyof typeof AUDIT_TARGET_DESCRIPTIONS;
export const AUDIT_TARGETS = Object.keys(AUDIT_TARGET_DESCRIPTIONS) as readonly AuditTarget[];

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
