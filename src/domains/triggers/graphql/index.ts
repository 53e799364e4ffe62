import './emit-event.ts';
import './event.ts';
import './schedule-preview.ts';
import './next-runs.ts';
import './trigger-trial.ts';
import './trigger.ts';
import './trigger-mutations.ts';
import './trigger-queries.ts';
import './trigger-run.ts';
import { ADMIN, JOBS } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** The types above, and who may see what of them. What is seen of jobs is seen of what makes them. */
export const graphqlPart: GraphqlPart = {
  typeAccess: {
    Event: JOBS,
    PreviewedRun: JOBS,
    SchedulePreview: JOBS,
    TestTriggerResult: ADMIN,
    Trigger: JOBS,
    TriggerRun: JOBS,
  },
};
