import { builder } from '../../../graphql/builder.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { CallType } from '../../calls/api.ts';
import { findClips } from '../use-cases/find-clips.ts';
import { ClipConnection } from './clip-connection.ts';

builder.objectField(CallType, 'clips', (t) =>
  t.field({
    type: ClipConnection,
    complexity: pageComplexity,
    description: 'Its clips, newest first, failed and expired ones too.',
    args: t.arg.connectionArgs(),
    resolve: async ({ id }, page, context) =>
      toConnection(
        await findClips({ reads: context.operation.transaction }, context.actor, { callId: id }, page),
      ),
  }),
);
