import type { Caller } from '../../../access/caller.ts';
import { DomainError } from '../../../core/errors.ts';
import type { Transaction } from '../../../db/database.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { refused } from '../../../operations/ranges.ts';
import {
  eventNameOfPattern,
  lockTrigger,
  parseEmittedName,
  type TriggerLockRow,
} from '../../triggers/api.ts';
import { findWebhookOfTrigger, type WebhookOfTriggerRow } from '../sql/find-webhook-of-trigger.ts';

/** What the events of a source are for: all triggers of a name, or one trigger. */
export interface SourceTarget {
  readonly eventName: string | null;
  readonly triggerId: string | null;
}

/** @throws DomainError `InvalidArgument` unless it is exactly one of both */
export function checkTarget({
  eventName = null,
  triggerId = null,
}: {
  readonly eventName?: string | null | undefined;
  readonly triggerId?: string | null | undefined;
}): SourceTarget {
  if (eventName === null && triggerId === null)
    throw refused('eventName', 'missing', 'an event name, or a trigger');
  if (eventName !== null && triggerId !== null)
    throw refused('eventName', 'given beside a trigger', 'an event name or a trigger, not both');
  return { eventName: eventName === null ? null : parseEmittedName(eventName, 'eventName'), triggerId };
}

/**
 * The same with the name that events get: of a trigger the name that it listens to.
 * @throws DomainError `NotFound`; `InvalidArgument` for a schedule, and for one that listens to Millrace's
 *   own events
 */
export async function targetOf(
  tx: Transaction,
  { tenantId }: Caller,
  { eventName, triggerId }: SourceTarget,
): Promise<{ readonly eventName: string; readonly triggerId: string | null }> {
  if (triggerId === null) return { eventName: eventName as string, triggerId };
  const trigger = (await tx.query<TriggerLockRow>(lockTrigger, [tenantId, triggerId])).rows[0];
  if (trigger === undefined) throw notFound('trigger', triggerId, 'triggerId');
  if (trigger.event_pattern === null)
    throw refused('triggerId', 'of a schedule', 'a trigger that listens to events');
  return { eventName: parseEmittedName(eventNameOfPattern(trigger.event_pattern), 'triggerId'), triggerId };
}

/** The trigger is locked, so that two cannot make one at once. @throws DomainError `AlreadyExists` */
export async function requireNoWebhook(tx: Transaction, tenantId: string, triggerId: string): Promise<void> {
  const { rows } = await tx.query<WebhookOfTriggerRow>(findWebhookOfTrigger, [tenantId, triggerId]);
  if (rows[0] === undefined) return;
  throw new DomainError('AlreadyExists', `Trigger ${triggerId} has webhook source ${rows[0].id} already.`, {
    field: 'triggerId',
    allowed: 'a trigger without a webhook',
  });
}
