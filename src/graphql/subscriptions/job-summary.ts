import type { SummaryEvent } from '../../events/job-summary.ts';
import { builder } from '../builder.ts';
import { JobSummaryType, SINCE_SECONDS } from '../types/job-summary.ts';
import { entityTopic } from './entity-topic.ts';

builder.subscriptionField('jobSummary', (t) =>
  t.field({
    type: JobSummaryType,
    authScopes: { member: true },
    complexity: 50,
    description:
      'How many jobs of the tenant stand where: now, and again when the counts have changed, at most twice a second. Each event is the whole; there is no cursor, a stream that begins again has missed nothing.',
    args: { sinceSeconds: t.arg.int({ description: SINCE_SECONDS }) },
    subscribe: (_root, { sinceSeconds }, { actor, deps }) => {
      // Opened once to refuse a window that there is none of; it holds nothing until it is taken from.
      deps.feed.subscribeSummary(actor.tenantId, sinceSeconds);
      return entityTopic(`summary ${sinceSeconds}`, () =>
        deps.feed.subscribeSummary(actor.tenantId, sinceSeconds),
      );
    },
    resolve: ({ summary }: SummaryEvent) => summary,
  }),
);
