import type { ReachKind } from '../../core/reach.ts';
import type { ReachAccess } from './access-types.ts';

const EVERYWHERE = {
  Viewer: 'all',
  Tenant: ['id', 'uuid', 'slug', 'name'],
  PageInfo: 'all',
  JobError: 'all',
} as const;

/**
 * A job by itself. What leads on from it leads to types that are not here, or to rows that are out of reach.
 */
const OF_JOBS = {
  ...EVERYWHERE,
  Job: 'all',
  JobAttempt: 'all',
  JobDefinition: ['id', 'key', 'description'],
  JobLogConnection: 'all',
  JobLogEdge: 'all',
  JobLogEvent: 'all',
  JobLogFile: 'all',
  JobLogLine: 'all',
  JobProgress: 'all',
  JobSubject: 'all',
  WaitingFor: 'all',
} as const;

/**
 * What each kind of access token reaches, by whatever way. Closed by default: a root field or a type that is
 * added is out of reach of all until it is written here. Rows are asked for beside it (`reach-rows.ts`), and
 * scopes as of any credential.
 */
export const REACH_ACCESS: Readonly<Record<ReachKind, ReachAccess>> = {
  job: {
    roots: [
      ...['Query.viewer', 'Query.job', 'Query.node', 'Query.nodes'],
      ...['Subscription.jobChanged', 'Subscription.jobLog'],
    ],
    types: OF_JOBS,
  },
  video: {
    roots: [...['Query.viewer', 'Query.node', 'Query.nodes']],
    types: {
      ...EVERYWHERE,
      JobProgress: 'all',
      ProgressPreview: 'all',
    },
  },
  ownJobs: {
    roots: [
      ...['Query.viewer', 'Query.job', 'Query.jobs', 'Query.node', 'Query.nodes'],
      ...['Mutation.enqueueJob', 'Mutation.cancelJob', 'Mutation.retryJob'],
      ...['Subscription.jobChanged', 'Subscription.jobChanges', 'Subscription.jobLog'],
    ],
    types: {
      ...OF_JOBS,
      FeedReady: 'all',
      JobConnection: 'all',
      JobDependency: 'all',
      JobEdge: 'all',
      JobLeft: 'all',
      JobRemoved: 'all',
      JobUpdated: 'all',
      PayloadProblem: 'all',
      ResyncRequired: 'all',
    },
  },
  upload: {
    roots: ['Query.viewer'],
    types: {
      ...EVERYWHERE,
      Job: ['id', 'uuid', 'status'],
    },
  },
};
