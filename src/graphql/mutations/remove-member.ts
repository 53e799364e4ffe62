import { removeMember } from '../../operations/members.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../types/errors.ts';
import { tenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  description: 'A person on the list.',
  fields: (t) => ({
    subject: t.string({ required: true, description: 'The `sub` of their tokens, 1 to 255 characters.' }),
  }),
});

builder.mutationField('removeMember', (t) =>
  t.field({
    type: tenantPayload('RemoveMemberPayload'),
    description:
      'Takes a person off the list of the tenant that the caller acts on, and ends their streams. Without its last row the tenant takes tokens at their word again. For tenant admins.',
    args: { input: t.arg({ type: RemoveMemberInput, required: true, description: 'Who.' }) },
    errors: {
      union: { name: 'RemoveMemberResult', description: 'The tenant, or why the list stays as it is.' },
      types: [Forbidden, InvalidArgument, NotFound, Busy],
    },
    resolve: (_root, { input: { subject } }, context) =>
      write(context, async () => {
        await removeMember(context.deps.jobs, context.actor, subject);
        return { kind: 'tenant' } as const;
      }),
  }),
);
