import { builder } from '../builder.ts';
import { ViewerType } from '../types/viewer.ts';

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    description: 'The caller.',
    resolve: (_root, _args, { actor }) => actor,
  }),
);
