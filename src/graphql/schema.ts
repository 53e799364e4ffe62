import './scalars.ts';
import './types/errors.ts';
import './types/job-run-facts.ts';
import './types/video.ts';
import './queries/job-definitions.ts';
import './queries/jobs.ts';
import './queries/videos.ts';
import './queries/viewer.ts';
import './mutations/cancel-job.ts';
import './mutations/complete-video-upload.ts';
import './mutations/create-video.ts';
import './mutations/enqueue-job.ts';
import './mutations/retry-job.ts';
import './subscriptions/job-changed.ts';
import './subscriptions/job-changes.ts';
import './subscriptions/video-changed.ts';
import { builder } from './builder.ts';

/** The schema of the API; `schema.graphql` is its printed form. */
export const schema = builder.toSchema();
