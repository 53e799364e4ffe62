import type { JobDefinition } from '../core/definition.ts';
import { PermanentError } from '../core/errors.ts';
import type { ClaimedJob } from '../core/queue.ts';
import { createPayloadCheck } from '../runs/payload-check.ts';
import { finishWithoutRunning } from '../runs/preflight.ts';
import type { Admission } from './held-leases.ts';

/** Holds jobs that are claimed by hand to the same rules as a worker does before it calls a handler. */
export function admissionOf(definitions: readonly JobDefinition[]): (claimed: ClaimedJob) => Admission {
  const payloads = createPayloadCheck();
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]));
  return (claimed) => {
    const early = finishWithoutRunning(claimed);
    if (early !== null) return { kind: 'end', finish: early, counts: false };
    const { job, definitionKey } = claimed;
    const definition = byKey.get(definitionKey);
    if (definition === undefined) return { kind: 'run', payload: job.payload };
    try {
      return { kind: 'run', payload: payloads.parse(definition, job.payload, job.tenantId) };
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      const { type, message } = error;
      const timestamp = new Date().toISOString();
      const settlement = {
        status: 'failed',
        error: { type, message, timestamp, retryCount: job.attemptCount },
      } as const;
      return { kind: 'end', finish: { kind: 'final', settlement }, counts: true };
    }
  };
}
