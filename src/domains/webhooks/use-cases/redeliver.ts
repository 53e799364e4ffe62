import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { deliverWebhook } from '../deliver-webhook.ts';
import { type DeliveredRow, findDelivered } from '../sql/find-delivered.ts';
import { audit, MANAGE, type WebhookDeps } from './endpoints.ts';

/**
 * Delivers an event again, by a job of its own: the same message id, a new signature.
 * @param deliveryId an attempt of it
 * @returns the new job's id
 * @throws DomainError `Forbidden`; `NotFound`, also where its job has been deleted by retention
 */
export const redeliverWebhook = defineUseCase(
  { name: 'redeliverWebhook', ...MANAGE },
  async ({ db, queue }: WebhookDeps, actor: Caller, deliveryId: string): Promise<string> => {
    const { tenantId, name } = actor;
    const made = await db.transaction({ role: 'api', tenantId }, async (tx) => {
      const { rows } = await tx.query<DeliveredRow>(findDelivered, [tenantId, deliveryId]);
      const found = rows[0];
      if (found === undefined) throw notFound('webhook delivery', deliveryId);
      if (found.payload === null)
        throw new DomainError(
          'NotFound',
          'The job of that delivery has been deleted, and its data with it.',
          {
            field: 'id',
          },
        );
      const payload = { ...found.payload, messageId: found.message_id };
      const [result] = await queue.enqueueIn(tx, tenantId, [
        { definitionKey: deliverWebhook.key, payload, source: 'manual', createdBy: name },
      ]);
      await audit(tx, actor, 'webhook.redeliver', found.endpoint_id, { deliveryId });
      await recordOutcome(tx, (result as EnqueueResult).id);
      return result as EnqueueResult;
    });
    queue.notifyEnqueued([made]);
    return made.id;
  },
);
