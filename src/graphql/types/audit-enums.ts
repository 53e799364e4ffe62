import { AUDIT_ACTIONS, AUDIT_TARGETS } from '../../core/audit.ts';
import { builder } from '../builder.ts';
import { valuesOf } from './enums.ts';

export const AuditActionEnum = builder.enumType('AuditAction', {
  description: 'What can be done that the audit log keeps.',
  values: valuesOf(AUDIT_ACTIONS, {
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
    'trigger.create': 'A trigger was made.',
    'trigger.update': 'A trigger was changed, enabled or disabled.',
    'trigger.delete': 'A trigger was deleted.',
    'trigger.run': 'A schedule was run by hand.',
  }),
});

export const AuditTargetTypeEnum = builder.enumType('AuditTargetType', {
  description: 'What an action is done to.',
  values: valuesOf(AUDIT_TARGETS, {
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
    trigger: 'A trigger.',
  }),
});
