import { builder } from '../../../graphql/builder.ts';
import { nextRunsOf } from '../use-cases/next-runs.ts';
import { TriggerType } from './refs.ts';
import { PreviewedRunType } from './schedule-preview.ts';

const DEFAULT_COUNT = 3;

builder.objectField(TriggerType, 'nextRuns', (t) =>
  t.field({
    type: [PreviewedRunType],
    complexity: ({ count }) => ({ field: 1, multiplier: count ?? DEFAULT_COUNT }),
    description:
      'Its runs to come, from `nextRunAt` on, without their jitter, with marks where a change of the clock matters; none while it is disabled, and of an event trigger.',
    args: { count: t.arg.int({ description: `1 to 20 runs; ${DEFAULT_COUNT} by default.` }) },
    resolve: (row, { count }) => [...nextRunsOf(row, count ?? DEFAULT_COUNT)],
  }),
);
