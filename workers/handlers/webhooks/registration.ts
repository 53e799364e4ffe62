import { deliverWebhook } from '../../../src/domains/webhooks/deliver-webhook.ts';
import { endpointStores } from '../../../src/domains/webhooks/delivery/endpoint-store.ts';
import { Outgoing } from '../../../src/outgoing/outgoing.ts';
import { type DomainHandlers, erased } from '../../domain-handlers.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { Registration } from '../../handler.ts';
import type { DeliverOwn } from './deliver.ts';

/** Deliveries to webhook endpoints; their module is loaded with the first one. */
export function deliverRegistration(): Registration<typeof deliverWebhook, DeliverOwn> {
  return {
    definition: deliverWebhook,
    load: async () => (await import('./deliver.ts')).deliver,
    provide: ({ database, config }: EngineParts) => {
      const outgoing = new Outgoing(config);
      const storeOf = endpointStores(database, config.encryptionKeys);
      return ({ job }) => ({ outgoing, endpoints: storeOf(job) });
    },
  };
}

export const registrations: DomainHandlers = () => [erased(deliverRegistration())];
