import { DomainError } from '../core/errors.ts';
import { type Reach, reachInWords } from '../core/reach.ts';
import type { EnqueueJobRequest } from './enqueue-job.ts';

/** What an access token may say of a job. The rest touches other jobs: their order, their ends, their dedupe keys, a video's list. */
const ALLOWED: readonly (keyof EnqueueJobRequest)[] = [
  'definitionKey',
  'payload',
  'scheduledFor',
  'expiresAt',
  'timeoutSeconds',
  'correlationId',
  'maxAttempts',
];

/** @throws DomainError `Forbidden` naming the field that reaches beyond the job itself */
export function checkWithinReach(reach: Reach, request: EnqueueJobRequest): void {
  for (const [field, value] of Object.entries(request)) {
    const isGiven = Array.isArray(value) ? value.length > 0 : value != null;
    if (!isGiven || ALLOWED.some((allowed) => allowed === field)) continue;
    const allowed = ALLOWED.map((name) => (name === 'definitionKey' ? 'definition' : name)).join(', ');
    const message = `This access token may not give ${field}: it reaches ${reachInWords(reach)}.`;
    throw new DomainError('Forbidden', message, { field, allowed });
  }
}
