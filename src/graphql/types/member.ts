import { requireNeed } from '../../access/require-role.ts';
import type { Role } from '../../core/actor.ts';
import type { MemberRow } from '../../db/prisma.ts';
import { findMembers } from '../../operations/find-access.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { RoleEnum } from './enums.ts';

export const MemberType = builder.objectRef<MemberRow>('Member');

builder.node(MemberType, {
  description:
    'A person on a tenant’s list. Where anybody is, the lower of token and list is a person’s role.',
  id: { resolve: (member) => member.id, description: 'Global id.' },
  loadMany: (ids, context) => {
    requireNeed(context.actor, findMembers.need);
    return ids.map((id) => loadersOf(context).memberById.load(id));
  },
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'The row’s key.' }),
    subject: t.exposeString('userSub', { description: 'Who: the `sub` of their tokens.' }),
    role: t.field({
      type: RoleEnum,
      description: 'What they may do at most: `MEMBER` or `TENANT_ADMIN`.',
      resolve: ({ role }) => role as Role,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when they are on it.' }),
  }),
});
