import { decodeLogCursor } from '../../core/log-cursor.ts';
import type { LogEvent, LogSubscription } from '../../events/log-subscription.ts';
import { notFound } from '../../jobs/not-found.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { Topic } from '../live/topic.ts';
import { JobLogEventType } from '../types/job-log.ts';

builder.subscriptionField('jobLog', (t) =>
  t.field({
    type: JobLogEventType,
    authScopes: { member: true },
    description:
      'The log of one job: its stored lines, then those that come, in their order and none left out. Go on after a broken connection with `after`. Ends with an event whose `isEnd` is true.',
    args: {
      jobId: t.arg.id({ required: true, description: 'The job’s global id, or its UUID.' }),
      after: t.arg.string({
        description: 'Cursor of the last line or event that was seen: only lines after it.',
      }),
      untilFinal: t.arg.boolean({
        defaultValue: true,
        description:
          'End once the job has ended and all its lines have come. False goes on: an operator may have it retried.',
      }),
    },
    subscribe: async (_root, { jobId: id, after, untilFinal }, context) => {
      const { actor, deps } = context;
      const jobId = uuidOf('Job', id, 'jobId');
      // Before the stream opens: a malformed cursor is an error of the request.
      if (after != null) decodeLogCursor(jobId, after);
      if ((await loadersOf(context).job.load(jobId)) === null) throw notFound('job', jobId);
      const { tenantId } = actor;
      return new Topic<LogEvent, LogSubscription>(
        `log ${jobId} ${untilFinal ?? true}`,
        after ?? null,
        (from) => ({
          source: deps.feed.subscribeLog(tenantId, jobId, { after: from, untilFinal: untilFinal ?? true }),
          present: (event) => {
            if (event.tenantId === tenantId) return { value: event, isLast: event.isEnd };
            deps.metrics.tenantAssertViolated();
            return null;
          },
          cursorOf: ({ cursor }) => cursor,
          isKept: () => false,
        }),
      );
    },
    resolve: (event: LogEvent) => event,
  }),
);
