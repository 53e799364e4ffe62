import {
  AUDIT_ACTION_DESCRIPTIONS,
  AUDIT_ACTIONS,
  AUDIT_TARGET_DESCRIPTIONS,
  AUDIT_TARGETS,
} from '../../core/audit.ts';
import { builder } from '../builder.ts';
import { valuesOf } from './enums.ts';

export const AuditActionEnum = builder.enumType('AuditAction', {
  description: 'What can be done that the audit log keeps.',
  values: valuesOf(AUDIT_ACTIONS, AUDIT_ACTION_DESCRIPTIONS),
});

export const AuditTargetTypeEnum = builder.enumType('AuditTargetType', {
  description: 'What an action is done to.',
  values: valuesOf(AUDIT_TARGETS, AUDIT_TARGET_DESCRIPTIONS),
});
