import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { readClip } from '../../../jobs/read-one.ts';
import { ClipType } from './clip-ref.ts';
import { clipLoader } from './loaders.ts';

builder.queryField('clip', (t) =>
  t.field({
    type: ClipType,
    nullable: true,
    authScopes: { videos: true },
    description: 'One clip; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, context) =>
      readClip(loaderOf(context, clipLoader), context.actor, uuidOf('Clip', id)),
  }),
);
