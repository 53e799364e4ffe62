import { revokeTokens } from '../../operations/revoke-tokens.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument } from '../types/errors.ts';
import { write } from './write.ts';

const RevokeTokensInput = builder.inputType('RevokeTokensInput', {
  description: 'Which tokens: all of a person, or one.',
  isOneOf: true,
  fields: (t) => ({
    subject: t.string({ description: 'Whose: the `sub` of the tokens, 1 to 255 characters.' }),
    jti: t.string({ description: 'The `jti` of one token, 1 to 255 characters.' }),
  }),
});

const RevokeTokensPayload = builder
  .objectRef<{ readonly issuedUntil: Date }>('RevokeTokensPayload')
  .implement({
    description: 'The tokens have ended, with every stream that came with one.',
    fields: (t) => ({
      issuedBefore: t.expose('issuedUntil', {
        type: 'DateTime',
        description: 'Tokens issued up to then (`iat`), or at no known time, are ended; later ones are good.',
      }),
    }),
  });

builder.mutationField('revokeTokens', (t) =>
  t.field({
    type: RevokeTokensPayload,
    description: 'Ends tokens of the tenant that the caller acts on before their time. For tenant admins.',
    args: { input: t.arg({ type: RevokeTokensInput, required: true, description: 'Which tokens.' }) },
    errors: {
      union: { name: 'RevokeTokensResult', description: 'Until when, or why none ended.' },
      types: [Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => ({
        issuedUntil: await revokeTokens(context.deps.jobs, context.actor, input),
      })),
  }),
);
