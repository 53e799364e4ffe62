import { defineDomain } from '../domain.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { pruneWebhooksDuty } from './duties/prune-webhooks.ts';

/** Events that go out to endpoints, and messages that come in as events. */
export const webhooks = defineDomain({
  name: 'webhooks',
  definitions: [deliverWebhook],
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: (deps) => [pruneWebhooksDuty(deps)],
});
