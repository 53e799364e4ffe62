import { boundText, cleanText } from '../../../core/clean-text.ts';
import type { Job } from '../../../core/job.ts';
import type { Database } from '../../../db/database.ts';
import { openText } from '../../../payloads/sealed-text.ts';
import { type EncryptionKey, SecretBox } from '../../../payloads/secret-box.ts';
import { type DeliveryEndpointRow, findWebhookEndpoint } from '../sql/find-webhook-endpoint.ts';
import { findWebhookSecrets, type WebhookSecretRow } from '../sql/find-webhook-secrets.ts';
import { type RecordedDeliveryRow, recordWebhookDelivery } from '../sql/record-webhook-delivery.ts';

/** What is delivered to. */
export interface DeliveryEndpoint {
  readonly url: string;
  /** The newest first; one or two. */
  readonly secrets: readonly string[];
  /** Why nothing is delivered; null while it is. */
  readonly pauseReason: string | null;
}

/** How one attempt went. */
export interface Attempt {
  readonly messageId: string;
  readonly eventName: string;
  readonly outcome: 'delivered' | 'failed' | 'skipped';
  readonly statusCode?: number | null;
  readonly error?: string | null;
  readonly answer?: string | null;
  readonly durationMs?: number;
  /** Ends all further deliveries, and why. */
  readonly pauseReason?: string | null;
}

/** The endpoints of a job's tenant, as its delivery needs them. */
export interface EndpointStore {
  find(endpointId: string): Promise<DeliveryEndpoint | null>;
  /** @returns why the endpoint is paused by this attempt; null where it is not */
  record(endpointId: string, attempt: Attempt): Promise<string | null>;
}

/** Failures in a row before the time of an endpoint's failing is looked at. */
const MIN_FAILURES = 20;
const MAX_ERROR_LENGTH = 1_000;
const MAX_ANSWER_LENGTH = 2_000;

/** Makes the store of each delivery; `keys` decrypt the secrets. */
export function endpointStores(
  database: Database,
  keys: readonly EncryptionKey[],
): (job: Pick<Job, 'tenantId' | 'id' | 'runNo'>) => EndpointStore {
  const box = new SecretBox(keys);
  return (job) => createEndpointStore(database, box, job);
}

/** @param job the delivery; its tenant alone is read and written */
function createEndpointStore(
  database: Database,
  box: SecretBox,
  { tenantId, id: jobId, runNo }: Pick<Job, 'tenantId' | 'id' | 'runNo'>,
): EndpointStore {
  return {
    find: (endpointId) =>
      database.transaction({ role: 'api', tenantId, readOnly: true }, async (tx) => {
        const { rows } = await tx.query<DeliveryEndpointRow>(findWebhookEndpoint, [tenantId, endpointId]);
        if (rows[0] === undefined) return null;
        const secrets = await tx.query<WebhookSecretRow>(findWebhookSecrets, [tenantId, endpointId]);
        const { url, paused_at, pause_reason } = rows[0];
        return {
          url,
          secrets: secrets.rows.map(({ secret }) => openText(box, tenantId, secret)),
          pauseReason: paused_at === null ? null : (pause_reason ?? 'It is paused.'),
        };
      }),
    record: async (endpointId, attempt) => {
      const { rows } = await database.asWorker<RecordedDeliveryRow>(recordWebhookDelivery, [
        tenantId,
        endpointId,
        jobId,
        runNo,
        attempt.messageId,
        attempt.eventName,
        attempt.outcome,
        attempt.statusCode ?? null,
        bounded(attempt.error, MAX_ERROR_LENGTH),
        bounded(attempt.answer, MAX_ANSWER_LENGTH),
        Math.round(attempt.durationMs ?? 0),
        MIN_FAILURES,
        bounded(attempt.pauseReason, MAX_ERROR_LENGTH),
      ]);
      return rows[0]?.pause_reason ?? null;
    },
  };
}

function bounded(text: string | null | undefined, maxLength: number): string | null {
  return text == null ? null : cleanText(boundText(text, maxLength)).slice(0, maxLength);
}
