import { setMember } from '../../operations/members.ts';
import { builder } from '../builder.ts';
import { RoleEnum } from '../types/enums.ts';
import { Busy, Forbidden, InvalidArgument } from '../types/errors.ts';
import { MemberType } from '../types/member.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const SetMemberInput = builder.inputType('SetMemberInput', {
  description: 'A person and their role.',
  fields: (t) => ({
    subject: t.string({ required: true, description: 'The `sub` of their tokens, 1 to 255 characters.' }),
    role: t.field({
      type: RoleEnum,
      required: true,
      description: 'What they may do at most: `MEMBER` or `TENANT_ADMIN`.',
    }),
  }),
});

const SetMemberPayload = builder.objectRef<{ readonly subject: string }>('SetMemberPayload').implement({
  description: 'The person is on the list; their open streams have the new role.',
  fields: (t) => ({
    member: t.field({
      type: MemberType,
      nullable: true,
      description: 'The person.',
      resolve: ({ subject }, _args, context) =>
        readBack(context, (loaders) => loaders.member.load(subject), `Member ${subject}`),
    }),
  }),
});

builder.mutationField('setMember', (t) =>
  t.field({
    type: SetMemberPayload,
    description:
      'Puts a person on the list of the tenant that the caller acts on, or gives them another role. From its first row on the list decides: who is not on it is nobody. For tenant admins.',
    args: { input: t.arg({ type: SetMemberInput, required: true, description: 'Who, and as what.' }) },
    errors: {
      union: { name: 'SetMemberResult', description: 'The person, or why the list stays as it is.' },
      types: [Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { subject, role } }, context) =>
      write(context, async () => {
        await setMember(context.deps.jobs, context.actor, subject, role);
        return { subject };
      }),
  }),
);
