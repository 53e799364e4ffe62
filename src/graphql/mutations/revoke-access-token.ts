import { revokeAccessToken } from '../../operations/access-tokens.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../types/errors.ts';
import { write } from './write.ts';

const RevokeAccessTokenInput = builder.inputType('RevokeAccessTokenInput', {
  description: 'Which access token to revoke.',
  fields: (t) => ({
    jti: t.string({ required: true, description: 'Its id, as `createAccessToken` gave it.' }),
  }),
});

const RevokeAccessTokenPayload = builder
  .objectRef<{ readonly jti: string }>('RevokeAccessTokenPayload')
  .implement({
    description: 'The token has ended.',
    fields: (t) => ({ jti: t.exposeString('jti', { description: 'Its id.' }) }),
  });

builder.mutationField('revokeAccessToken', (t) =>
  t.field({
    type: RevokeAccessTokenPayload,
    description:
      'Ends an access token before its time, with every stream that came with it. Again changes nothing. For its maker, and for tenant admins.',
    args: { input: t.arg({ type: RevokeAccessTokenInput, required: true, description: 'The token.' }) },
    errors: {
      union: { name: 'RevokeAccessTokenResult', description: 'The token’s id, or why it goes on.' },
      types: [NotFound, Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { jti } }, context) =>
      write(context, async () => {
        const { jobs, accessTokens } = context.deps;
        await revokeAccessToken({ db: jobs.db, accessTokens }, context.actor, jti);
        return { jti };
      }),
  }),
);
