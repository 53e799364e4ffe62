import type { ProducerQueue } from '../core/producer-queue.ts';
import type { EnqueueInput, EnqueueResult } from '../core/queue.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';
import { PayloadValidator } from '../jobs/payload-validator.ts';

/** Enqueues one job, its payload checked against the schema on its definition's row first. */
export type CheckedEnqueue = (tenantId: string, input: EnqueueInput) => Promise<EnqueueResult>;

/** @param queue who writes the job; it remembers definitions, and looks again when one has changed */
export function checkedEnqueue(queue: Pick<ProducerQueue<DefinitionRow>, 'enqueueChecked'>): CheckedEnqueue {
  const validator = new PayloadValidator();
  return (tenantId, input) =>
    queue.enqueueChecked(tenantId, input.definitionKey, (definition) => ({
      ...input,
      payload: validator.checkText(definition, input.payload),
    }));
}
