import type { TUnsafe } from 'typebox';
import { defineJob } from '../../core/definition.ts';
import { Type } from '../../core/payload-type.ts';

/** Any JSON value. */
const anything = (description: string): TUnsafe<unknown> => ({ description }) as unknown as TUnsafe<unknown>;

/**
 * Sends an event to an endpoint. A trigger of this definition delivers the events that it listens to: its
 * payload template names the endpoint.
 */
export const deliverWebhook = defineJob({
  key: 'deliver-webhook',
  description: 'Delivers an event to a webhook endpoint of the tenant, signed.',
  payload: Type.Object(
    {
      endpoint: Type.String({
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'The endpoint’s UUID.',
      }),
      type: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the event, for its receiver.',
      }),
      data: Type.Optional(anything('What is delivered.')),
      messageId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'The same for each delivery of one event; the job’s id by default.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 60,
  leaseSeconds: 30,
  maxAttempts: 8,
  // About a day in all: 5 s, 5 min, 30 min, 2 h, 5 h, 8 h, 10 h.
  retryPolicy: { delaysSeconds: [5, 300, 1_800, 7_200, 18_000, 28_800, 36_000], jitter: 0.2 },
  enqueueRole: 'tenant_admin',
});
