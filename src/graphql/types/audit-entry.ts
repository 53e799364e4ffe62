import type { AuditRow } from '../../db/prisma.ts';
import { requireRole } from '../../jobs/require-role.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';

export const AuditEntryType = builder.objectRef<AuditRow>('AuditEntry');

builder.node(AuditEntryType, {
  description: 'One thing that somebody did. It never changes.',
  id: { resolve: (entry) => entry.id, description: 'Global id.' },
  loadMany: (ids, context) => {
    requireRole(context.actor, 'tenant_admin', 'read the audit log');
    return ids.map((id) => loadersOf(context).auditEntry.load(id));
  },
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'Its key.' }),
    action: t.exposeString('action', { description: 'What was done: `job.cancel`, `tenant.pause` …' }),
    actor: t.exposeString('actor', {
      description: 'Who did it: `user:<sub>`, `key:<id>`, `system`, `cli:<login>`.',
    }),
    targetType: t.exposeString('targetType', {
      description:
        'To what: `job`, `jobs`, `definition`, `tenant`, `lane_limit`, `member`, `api_key`, `token`.',
    }),
    targetId: t.exposeString('targetId', {
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
