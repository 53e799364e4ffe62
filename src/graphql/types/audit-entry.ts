import { requireNeed } from '../../access/require-role.ts';
import { AUDIT_ACTIONS, AUDIT_TARGETS } from '../../core/audit.ts';
import type { AuditRow } from '../../db/prisma.ts';
import { findAuditEntries } from '../../operations/find-audit-entries.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { AuditActionEnum, AuditTargetTypeEnum } from './audit-enums.ts';

export const AuditEntryType = builder.objectRef<AuditRow>('AuditEntry');

builder.node(AuditEntryType, {
  description: 'One thing that somebody did. It never changes.',
  id: { resolve: (entry) => entry.id, description: 'Global id.' },
  loadMany: (ids, context) => {
    requireNeed(context.actor, findAuditEntries.need);
    return ids.map((id) => loadersOf(context).auditEntry.load(id));
  },
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'Its key.' }),
    action: t.field({
      type: AuditActionEnum,
      nullable: true,
      description: 'What was done; null for an action that only a later version knows.',
      resolve: ({ action }) => AUDIT_ACTIONS.find((known) => known === action) ?? null,
    }),
    actor: t.exposeString('actor', {
      description: 'Who did it: `user:<sub>`, `key:<id>`, `system`, `cli:<login>`.',
    }),
    targetType: t.field({
      type: AuditTargetTypeEnum,
      nullable: true,
      description: 'To what; null for a kind that only a later version knows.',
      resolve: ({ targetType }) => AUDIT_TARGETS.find((known) => known === targetType) ?? null,
    }),
    targetKey: t.exposeString('targetId', {
      nullable: true,
      description: 'Its UUID or key; null for a selection of jobs.',
    }),
    details: t.expose('details', {
      type: 'JSON',
      description: 'Old and new values; for a selection its filter and the counts.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
});
