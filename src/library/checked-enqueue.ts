import type { EnqueueInput, EnqueueResult, ProducerQueue } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import { type DefinitionRow, findDefinitions } from '../db/sql/queue/find-definitions.ts';
import { PayloadValidator } from '../jobs/payload-validator.ts';

/** Enqueues one job, its payload checked against the schema on its definition's row first. */
export type CheckedEnqueue = (tenantId: string, input: EnqueueInput) => Promise<EnqueueResult>;

/** @param queue who writes the job; it says itself what it thinks of a definition that is not there */
export function checkedEnqueue(db: Database, queue: ProducerQueue): CheckedEnqueue {
  const validator = new PayloadValidator();
  return async (tenantId, input) => {
    const key = input.definitionKey;
    const { rows } = key.includes('\0')
      ? { rows: [] }
      : await db.asWorker<DefinitionRow>(findDefinitions, [[key]]);
    const payload = rows[0] === undefined ? input.payload : validator.check(rows[0], input.payload);
    const [result] = await queue.enqueue(tenantId, [{ ...input, payload }]);
    return result as EnqueueResult;
  };
}
