import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { type RedactedJobRow, redactJob as redactRow } from '../db/sql/operations/redact-job.ts';
import { type FoundJobRow, findJob } from '../db/sql/read/find-job.ts';
import { notFound } from '../jobs/not-found.ts';
import { checkReason } from '../jobs/reason.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';

const ENDED = ['succeeded', 'failed', 'canceled', 'dead_letter'] as const;

/**
 * Empties an ended job for good: payload, result, metadata, error texts, log and the outputs of its attempts.
 * That it was there and how it ended stays. Again is nothing more.
 * @throws DomainError `Forbidden` `NotFound` `WrongState` for one that has not ended `InvalidArgument` `Busy`
 */
export const redactJob = defineUseCase(
  { name: 'redactJob', role: 'tenant_admin', scope: 'admin', toDo: 'redact jobs' },
  async ({ db }: OperationDeps, actor: Caller, jobId: string, reason: string | null): Promise<void> => {
    const why = checkReason(reason);
    const { tenantId } = actor;
    await operate(db, `job ${jobId}`, async (tx) => {
      const { rows } = await tx.query<RedactedJobRow>(redactRow, [jobId, tenantId]);
      if (rows[0] === undefined) {
        const found = await tx.query<FoundJobRow>(findJob, [tenantId, jobId]);
        const [job] = found.rows;
        if (job === undefined) throw notFound('job', jobId);
        throw new DomainError('WrongState', `Job ${jobId} is ${job.status}; cancel it first.`, {
          field: 'id',
          allowed: ENDED.join(', '),
          enumWords: [job.status, ...ENDED],
        });
      }
      const details = { logLines: rows[0].lineCount, ...(why !== null && { reason: why }) };
      await recordChange(tx, actor, 'job.redact', { tenantId, type: 'job', id: jobId }, details);
    });
  },
);
