import { findApiKeys, findMembers } from '../../operations/find-access.ts';
import { builder } from '../builder.ts';
import { ApiKeyConnection, MemberConnection, pageComplexity, toConnection } from './connections.ts';
import { TenantType } from './tenant.ts';

// The use-cases ask for the role, and page through the tenant that the caller acts on: the only one that
// anybody sees.

builder.objectField(TenantType, 'apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    nullable: true,
    complexity: pageComplexity,
    description: 'Its API keys, newest first, ended ones too. For tenant admins.',
    args: t.arg.connectionArgs(),
    resolve: async (_tenant, page, { actor, operation }) =>
      toConnection(await findApiKeys(operation.transaction, actor, page)),
  }),
);

builder.objectField(TenantType, 'members', (t) =>
  t.field({
    type: MemberConnection,
    nullable: true,
    complexity: pageComplexity,
    description: 'Who is on its list, newest first; an empty list decides over nobody. For tenant admins.',
    args: t.arg.connectionArgs(),
    resolve: async (_tenant, page, { actor, operation }) =>
      toConnection(await findMembers(operation.transaction, actor, page)),
  }),
);
