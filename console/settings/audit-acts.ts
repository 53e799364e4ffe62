import type { AuditAction } from '../api/operations.gen.ts';

// A record, so that none of the API's is missing here.
const KNOWN: Readonly<Record<AuditAction, true>> = {
  API_KEY_CREATE: true,
  API_KEY_REVOKE: true,
  BULK_ACTION_START: true,
  BULK_ACTION_STOP: true,
  CALL_DELETE: true,
  CLIP_DELETE: true,
  DEFINITION_ARCHIVE: true,
  DEFINITION_CREATE: true,
  DEFINITION_PAUSE: true,
  DEFINITION_RESTORE: true,
  DEFINITION_RESUME: true,
  DEFINITION_UPDATE: true,
  JOBS_CANCEL: true,
  JOBS_RETRY: true,
  JOB_CANCEL: true,
  JOB_REDACT: true,
  JOB_REPLAY: true,
  JOB_RETRY: true,
  JOB_UPDATE: true,
  LANE_LIMIT_REMOVE: true,
  LANE_LIMIT_SET: true,
  LINK_DELETE: true,
  MEMBER_REMOVE: true,
  MEMBER_SET: true,
  TENANT_CREATE: true,
  TENANT_DELETE: true,
  TENANT_PAUSE: true,
  TENANT_RESUME: true,
  TENANT_UPDATE: true,
  TOKEN_REVOKE: true,
  TRIGGER_CREATE: true,
  TRIGGER_DELETE: true,
  TRIGGER_RUN: true,
  TRIGGER_UPDATE: true,
  VIDEO_DELETE: true,
  VIDEO_UPDATE: true,
  WEBHOOK_CREATE: true,
  WEBHOOK_DELETE: true,
  WEBHOOK_REDELIVER: true,
  WEBHOOK_ROTATE_SECRET: true,
  WEBHOOK_UPDATE: true,
};

/** What the log has entries of. */
export const AUDIT_ACTS = Object.keys(KNOWN) as readonly AuditAction[];

export function actInWords(action: AuditAction): string {
  return action.toLowerCase().replaceAll('_', ' ');
}
