import { findAuditEntries } from '../../operations/find-audit-entries.ts';
import { builder } from '../builder.ts';
import { AuditActionEnum, AuditTargetTypeEnum } from '../types/audit-enums.ts';
import { AuditEntryConnection, pageComplexity, toConnection } from '../types/connections.ts';

const AuditFilterInput = builder.inputType('AuditFilter', {
  description: 'Which entries. Conditions are joined by "and"; an absent one takes all.',
  fields: (t) => ({
    action: t.field({ type: AuditActionEnum, description: 'What was done.' }),
    actor: t.string({ description: 'Who did it: `user:<sub>`, `key:<id>`, `system`, `cli:<login>`.' }),
    targetType: t.field({ type: AuditTargetTypeEnum, description: 'To what.' }),
    targetKey: t.string({ description: 'Its UUID or key.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Done at or after.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Done before.' }),
  }),
});

builder.queryField('auditLog', (t) =>
  t.field({
    type: AuditEntryConnection,
    nullable: true,
    complexity: pageComplexity,
    description:
      'Who did what in the tenant, newest first; for its admins. What is done to job definitions is in the system tenant’s.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: AuditFilterInput, description: 'Which ones.' }),
    },
    // The use-case asks for the role: a scope can only say `member`.
    resolve: async (_root, { filter, ...page }, { actor, operation }) =>
      toConnection(await findAuditEntries(operation.transaction, actor, filter ?? {}, page)),
  }),
);
