import type { WebhooksResult } from '../api/operations.gen.ts';

/** An endpoint as the page of webhooks reads it. */
export type Endpoint = NonNullable<WebhooksResult['webhookEndpoints']>['nodes'][number];
