import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { findInexactNumber } from '../../../core/exact-numbers.ts';
import { parseJson } from '../../../core/parse-json.ts';
import { EVENT_CHANNEL } from '../../../db/channels.ts';
import type { Database, Transaction } from '../../../db/database.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { payloadJson } from '../../../payloads/payload-json.ts';
import { openText } from '../../../payloads/sealed-text.ts';
import type { SubmitLinkDeps } from '../../links/api.ts';
import {
  eventNameOfPattern,
  type InsertedEventRow,
  insertEvent,
  parseEmittedName,
} from '../../triggers/api.ts';
import { isEqual, isSignedByGithub, isSignedByStandard } from '../signature.ts';
import { countWebhookSource } from '../sql/count-webhook-source.ts';
import { findWebhookReceipt, type WebhookReceiptRow } from '../sql/find-webhook-receipt.ts';
import { findWebhookSource, type WebhookSourceRow } from '../sql/find-webhook-source.ts';
import { insertWebhookReceipt } from '../sql/insert-webhook-receipt.ts';
import { hashToken } from '../stored-secret.ts';
import { type LinkOfRecord, linkOf, makeLink } from './link-of-record.ts';

export const MAX_WEBHOOK_BYTES = 256 * 1024;
/** How far a message's time may be from ours: an old one that somebody has caught is worth nothing. */
const REPLAY_WINDOW_SECONDS = 300;
const MAX_MESSAGE_ID_LENGTH = 255;

type ReceiveDeps = SubmitLinkDeps & Pick<JobsDeps, 'secrets'>;

/** A POST to a source's URL. */
export interface ReceivedMessage {
  readonly sourceId: string;
  /** What stands behind the id in the path. */
  readonly token: string | null;
  readonly body: Buffer;
  header(name: string): string | null;
}

export interface ReceivedEvent {
  readonly eventId: string;
  /** The link that the message's record has become; null where it became none now. */
  readonly linkId: string | null;
  /** False: the same message came before, and this is its event. */
  readonly isNew: boolean;
}

/**
 * Makes an event of a message whose sender has proven to be the source's. Called by Millrace for any sender:
 * the proof is the permission. A source that makes links makes one of an inserted record, in the same
 * transaction.
 * @throws DomainError `NotFound` for a source that is not there or is disabled; `InvalidSignature`;
 *   `InvalidArgument` for a body that is no JSON, or whose record has no URL that may be a link's;
 *   `DefinitionInactive`
 */
export const receiveWebhook = defineUseCase(
  { name: 'receiveWebhook', role: 'super_admin', scope: 'any', toDo: 'receive webhooks' },
  async (deps: ReceiveDeps, _system: Caller, message: ReceivedMessage): Promise<ReceivedEvent> => {
    const { db, secrets } = deps;
    const { rows } = await db.asWorker<WebhookSourceRow>(findWebhookSource, [message.sourceId]);
    const source = rows[0];
    if (source === undefined) throw new DomainError('NotFound', 'There is no such webhook.', {});
    const known = source.secrets.map((stored) => openText(secrets, source.tenant_id, stored));
    const messageId = verify(source, known, message);
    const data = dataOf(message.body);
    const link = linkOf(deps, source, data);
    const received = await writeEvent(
      db,
      source,
      messageId,
      payloadJson(data, MAX_WEBHOOK_BYTES + 1_024),
      link,
    );
    if (received.linkId !== null) deps.queue.notifyEnqueued([{ kind: 'created', id: received.linkId }]);
    return received;
  },
);

/** @returns the message's id, where it has one. @throws DomainError `InvalidSignature` `InvalidArgument` */
function verify(
  { verification }: WebhookSourceRow,
  secrets: readonly string[],
  message: ReceivedMessage,
): string | null {
  const { token, body } = message;
  if (verification === 'token') {
    const hash = hashToken(token ?? '');
    if (!secrets.some((secret) => isEqual(secret, hash)))
      throw refusedSignature('the token in the path is not the source’s');
    return idOf(message.header('webhook-id') ?? message.header('x-request-id'));
  }
  if (token !== null) throw new DomainError('NotFound', 'There is no such webhook.', {});
  if (verification === 'github') {
    if (!isSignedByGithub(secrets, body, message.header('x-hub-signature-256') ?? ''))
      throw refusedSignature('x-hub-signature-256 is not the body’s under the secret');
    return idOf(message.header('x-github-delivery'));
  }
  const id = idOf(message.header('webhook-id'));
  const timestamp = Number(message.header('webhook-timestamp') ?? Number.NaN);
  if (id === null || !Number.isInteger(timestamp))
    throw refusedSignature('webhook-id or webhook-timestamp is missing');
  if (!isSignedByStandard(secrets, { id, timestamp, body }, message.header('webhook-signature') ?? ''))
    throw refusedSignature('webhook-signature is not the message’s under the secret');
  const offSeconds = Math.abs(Date.now() / 1_000 - timestamp);
  if (offSeconds > REPLAY_WINDOW_SECONDS)
    throw refusedSignature(
      `webhook-timestamp is ${Math.round(offSeconds)} s away from now, more than ${REPLAY_WINDOW_SECONDS}`,
    );
  return id;
}

function idOf(given: string | null): string | null {
  return given === null || given === '' ? null : given.slice(0, MAX_MESSAGE_ID_LENGTH);
}

function refusedSignature(why: string): DomainError {
  return new DomainError('InvalidSignature', `The message is not taken: ${why}.`, {});
}

/** An object as it is; any other JSON as its `value`. @throws DomainError `InvalidArgument` */
function dataOf(body: Buffer): Readonly<Record<string, unknown>> {
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : parseJson(text);
  } catch (error) {
    throw new DomainError(
      'InvalidArgument',
      'The body is no JSON; allowed: a JSON document.',
      { field: 'body', allowed: 'a JSON document' },
      error,
    );
  }
  if (findInexactNumber(text) !== null)
    throw new DomainError('InvalidArgument', 'The body has a number that would become another one.', {
      field: 'body',
      allowed: 'numbers that JavaScript holds exactly',
    });
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { value };
}

/** The receipt, the event and the link in one transaction: the same message twice at once makes one. */
async function writeEvent(
  db: Database,
  source: WebhookSourceRow,
  messageId: string | null,
  data: string,
  link: LinkOfRecord | null,
): Promise<ReceivedEvent> {
  const { id, tenant_id: tenantId } = source;
  return db
    .transaction({ role: 'api', tenantId }, async (tx) => {
      if (messageId === null) {
        await tx.query(countWebhookSource, [tenantId, id]);
        const eventId = await eventOf(tx, source, null, data);
        return { eventId, isNew: true, linkId: await makeLink(tx, source, link) };
      }
      const eventId = await eventOf(tx, source, messageId, data);
      const { rowCount } = await tx.query(insertWebhookReceipt, [id, tenantId, messageId, eventId]);
      if (rowCount === 1) return { eventId, isNew: true, linkId: await makeLink(tx, source, link) };
      const { rows } = await tx.query<WebhookReceiptRow>(findWebhookReceipt, [id, messageId]);
      throw new Repeated(rows[0]?.event_id ?? '');
    })
    .catch((error: unknown) => {
      if (error instanceof Repeated) return { eventId: error.eventId, isNew: false, linkId: null };
      throw error;
    });
}

/** Ends the transaction without the event that it has written. */
class Repeated extends Error {
  readonly eventId: string;

  constructor(eventId: string) {
    super('The message came before.');
    this.eventId = eventId;
  }
}

/**
 * The event name for a trigger's own URL: what the trigger listens to now. @throws DomainError
 * `InvalidArgument` for a name of Millrace's own
 */
function nameOf({ event_name: name, event_pattern: pattern }: WebhookSourceRow): string {
  return pattern === null ? name : parseEmittedName(eventNameOfPattern(pattern));
}

async function eventOf(
  tx: Transaction,
  source: WebhookSourceRow,
  messageId: string | null,
  data: string,
): Promise<string> {
  const values = [
    source.tenant_id,
    nameOf(source),
    data,
    'webhook',
    messageId,
    null,
    `webhook:${source.id}`,
    EVENT_CHANNEL,
    source.trigger_id,
  ];
  const { rows } = await tx.query<InsertedEventRow>(insertEvent, values);
  return (rows[0] as InsertedEventRow).id;
}
