import type { PayloadOf } from '../../../src/core/definition.ts';
import { PermanentError } from '../../../src/core/errors.ts';
import { canceled, done } from '../../../src/core/outcome.ts';
import type { deliverWebhook } from '../../../src/domains/webhooks/deliver-webhook.ts';
import type { Attempt, EndpointStore } from '../../../src/domains/webhooks/delivery/endpoint-store.ts';
import { signatureHeader } from '../../../src/domains/webhooks/signature.ts';
import type { Outgoing } from '../../../src/outgoing/outgoing.ts';
import { OutgoingError } from '../../../src/outgoing/outgoing-error.ts';
import type { Handler } from '../../handler.ts';

/** What a delivery has beside what every handler has. */
export interface DeliverOwn {
  readonly endpoints: EndpointStore;
  /** Reaches public addresses alone. */
  readonly outgoing: Outgoing;
}

const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 2_000;

/**
 * Sends the message, signed by Standard Webhooks. A status of 2xx is a delivery; a redirect is none, since
 * the signature is for this address; 410 says that nobody wants any more, and pauses the endpoint.
 */
export const deliver: Handler<PayloadOf<typeof deliverWebhook>, DeliverOwn> = async (context) => {
  const { payload, jobId, own, signal, log } = context;
  const { endpoints, outgoing } = own;
  const { endpoint: endpointId, type, data, messageId = jobId } = payload;
  const endpoint = await endpoints.find(endpointId);
  if (endpoint === null)
    throw new PermanentError('EndpointNotFound', `There is no webhook endpoint ${endpointId} in this tenant`);
  const about = { messageId, eventName: type };
  if (endpoint.pauseReason !== null) {
    await endpoints.record(endpointId, { ...about, outcome: 'skipped', error: endpoint.pauseReason });
    return canceled(`The endpoint is paused: ${endpoint.pauseReason}`);
  }
  const timestamp = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({
    type,
    timestamp: new Date(timestamp * 1_000).toISOString(),
    data: data ?? {},
  });
  const startMs = performance.now();
  const settle = async (attempt: Omit<Attempt, 'messageId' | 'eventName'>): Promise<void> => {
    const durationMs = performance.now() - startMs;
    const paused = await endpoints.record(endpointId, { ...about, ...attempt, durationMs });
    if (paused !== null) log.warn('The endpoint is paused.', { endpoint: endpointId, reason: paused });
  };
  const answer = await outgoing
    .send(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureHeader(endpoint.secrets, { id: messageId, timestamp, body }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      truncate: true,
      signal,
    })
    .catch(async (error: unknown) => {
      if (signal.aborted || !(error instanceof OutgoingError)) throw error;
      await settle({ outcome: 'failed', error: `${error.code}: ${error.message}` });
      throw error.retryable ? error : new PermanentError(error.code, error.message, error);
    });
  const { status } = answer;
  const text = Buffer.from(answer.body).toString('utf8');
  if (status >= 200 && status < 300) {
    await settle({ outcome: 'delivered', statusCode: status, answer: text });
    return done({ status });
  }
  const isRedirect = status >= 300 && status < 400;
  const error = isRedirect ? `It answers ${status}: redirects are not followed` : `It answers ${status}`;
  const pauseReason = status === 410 ? 'It answered 410: nothing more is wanted there.' : null;
  await settle({ outcome: 'failed', statusCode: status, error, answer: text, pauseReason });
  if (status === 410) throw new PermanentError('EndpointGone', error);
  const failed = new Error(error);
  failed.name = 'DeliveryFailed';
  throw failed;
};
