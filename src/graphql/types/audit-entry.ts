import type { AuditRow } from '../../db/prisma.ts';
import { builder } from '../builder.ts';

export const AuditEntryType = builder.objectRef<AuditRow>('AuditEntry').implement({
  description: 'One thing that somebody did. It never changes.',
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
