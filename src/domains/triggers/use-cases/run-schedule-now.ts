import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { definitionsByKey } from '../../../db/definitions-by-key.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { recordAction } from '../../../db/record-action.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { inRounds } from '../dispatch/in-rounds.ts';
import { insertOrdered } from '../dispatch/insert-ordered.ts';
import { writeRuns } from '../dispatch/run-log.ts';
import { scheduleContext } from '../dispatch/template-context.ts';
import { orderedJob } from '../dispatch/trigger-job.ts';
import { lockTrigger, type TriggerLockRow } from '../sql/lock-trigger.ts';

/**
 * Enqueues one job of a schedule at once, enabled or not, beside its ticks.
 * @returns the job's id
 * @throws DomainError `Forbidden` `NotFound`; `InvalidArgument` for an event trigger; `InvalidPayload`
 *   `DefinitionInactive`, whose message says why there is no job
 */
export const runScheduleNow = defineUseCase(
  { name: 'runScheduleNow', role: 'tenant_admin', scope: 'admin', toDo: 'run schedules' },
  async (
    { db, queue, payloads }: Pick<JobsDeps, 'db' | 'queue' | 'payloads'>,
    actor: Caller,
    triggerId: string,
  ): Promise<string> => {
    let jobId = '';
    await inRounds(1, () =>
      db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
        const row = (await tx.query<TriggerLockRow>(lockTrigger, [actor.tenantId, triggerId])).rows[0];
        if (row === undefined) throw notFound('trigger', triggerId);
        if (row.kind !== 'schedule')
          throw new DomainError(
            'InvalidArgument',
            `Trigger ${triggerId} listens to an event; allowed: a schedule.`,
            { field: 'id', allowed: 'a schedule' },
          );
        const known = await definitionsByKey(db, [row.definition_key]);
        const order = await orderedJob(
          {
            trigger: { ...row, created_by: actor.name },
            source: 'schedule',
            sourceRef: row.id,
            correlationId: null,
            context: scheduleContext(row.now, row),
            dedupeWindowSeconds: 0,
          },
          known.get(row.definition_key),
          {
            checkPayload: (tenantId, definition, payload) => payloads.check(tenantId, definition, payload),
          },
        );
        const [placed] = await insertOrdered({ queue }, tx, [order]);
        if (placed?.jobId == null) {
          const isInactive = placed?.outcome === 'definition_inactive';
          throw new DomainError(
            isInactive ? 'DefinitionInactive' : 'InvalidPayload',
            placed?.reason ?? 'There is no job.',
            {
              field: isInactive ? 'definition' : 'payloadTemplate',
            },
          );
        }
        jobId = placed.jobId;
        await writeRuns(tx, [
          { tenantId: actor.tenantId, triggerId, eventId: null, scheduledAt: null, ...placed },
        ]);
        const details = { label: row.label, job_id: jobId };
        await recordAction(tx, {
          tenantId: actor.tenantId,
          actor: actor.name,
          action: 'trigger.run',
          targetType: 'trigger',
          targetId: triggerId,
          details,
        });
        await recordOutcome(tx, jobId);
        return 1;
      }),
    );
    return jobId;
  },
);
