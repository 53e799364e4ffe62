import { DomainError } from '../core/errors.ts';
import { type Reach, reachInWords } from '../core/reach.ts';

/**
 * What an access token may say of a job. The rest touches other jobs: their order, their ends, their dedupe
 * keys, a video's list.
 */
const ALLOWED: readonly string[] = [
  'definitionKey',
  'payload',
  'scheduledFor',
  'expiresAt',
  'timeoutSeconds',
  'correlationId',
  'maxAttempts',
  'tags',
  'metadata',
];

/**
 * @param request an `EnqueueJobRequest`
 * @throws DomainError `Forbidden` naming the field that reaches beyond the job itself
 */
export function checkWithinReach(reach: Reach, request: object): void {
  for (const [field, value] of Object.entries(request)) {
    const isGiven = Array.isArray(value) ? value.length > 0 : value != null;
    if (!isGiven || ALLOWED.includes(field)) continue;
    const allowed = ALLOWED.map((name) => (name === 'definitionKey' ? 'definition' : name)).join(', ');
    const message = `This access token may not give ${field}: it reaches ${reachInWords(reach)}.`;
    throw new DomainError('Forbidden', message, { field, allowed });
  }
}
