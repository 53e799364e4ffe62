import { builder } from '../builder.ts';
import { ViewerType } from '../types/viewer.ts';

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    description: 'Who asks.',
    resolve: (_root, _args, { actor }) => actor,
  }),
);
