import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The cases about webhooks. */
export function webhookCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  const theirs = async () => {
    const { api, other, mark } = tools();
    const { rows } = await api.superuser.query(
      `with endpoint as (
         insert into millrace.webhook_endpoints (tenant_id, label, url) values ($1, $2, 'https://example.com') returning id
       ), source as (
         insert into millrace.webhook_sources (tenant_id, label, event_name, verification) values ($1, $2, 'a.b', 'token') returning id
       ), delivery as (
         insert into millrace.webhook_deliveries (tenant_id, endpoint_id, job_id, run_no, message_id, event_name, outcome)
         select $1, id, $3, 1, $2, 'a.b', 'failed' from endpoint returning id
       )
       select (select id from endpoint) as "endpointId", (select id from source) as "sourceId", (select id from delivery) as "deliveryId"`,
      [other.tenantId, mark, other.jobId],
    );
    return rows[0] as { endpointId: string; sourceId: string; deliveryId: string };
  };
  const untouched = async (): Promise<void> => {
    const { api, mark } = tools();
    for (const table of ['webhook_endpoints', 'webhook_sources']) {
      const { rows } = await api.superuser.query(
        `select label, updated_at = created_at as same from millrace.${table} where label = $1`,
        [mark],
      );
      expect(rows.length).toBeGreaterThan(0);
    }
    const secrets = await api.superuser.query(
      'select count(*)::integer as count from millrace.webhook_secrets where tenant_id = $1',
      [tools().other.tenantId],
    );
    expect(secrets.rows).toEqual([{ count: 0 }]);
  };
  const same =
    (field: string, which: 'endpointId' | 'sourceId' | 'deliveryId') => async (): Promise<void> => {
      const ids = await theirs();
      await tools().sameAsMissing(`Mutation.${field}`, (uuid) => `(input: { uuid: "${uuid}" })`, ids[which]);
      await untouched();
    };
  const listed = (field: string) => async (): Promise<void> => {
    await theirs();
    tools().expectNothingOf(await tools().ask(`Query.${field}`));
  };
  const madeHere = (field: string, input: string, table: string) => async (): Promise<void> => {
    const { api, ask, ours } = tools();
    const answer = await ask(`Mutation.${field}`, `(input: { ${input} })`);
    expect(answer.errors).toEqual([]);
    const { rowCount } = await api.superuser.query(
      `select from millrace.${table} where tenant_id = $1 and label = 'made here'`,
      [ours.tenantId],
    );
    expect(rowCount).toBe(1);
  };
  return {
    'Query.webhookEndpoints': listed('webhookEndpoints'),
    'WebhookEndpoint.deliveries': listed('webhookEndpoints'),
    'WebhookDelivery.job': listed('webhookEndpoints'),
    'Query.webhookSources': listed('webhookSources'),
    'Mutation.createWebhookEndpoint': madeHere(
      'createWebhookEndpoint',
      'label: "made here", url: "https://example.com"',
      'webhook_endpoints',
    ),
    'Mutation.createWebhookSource': madeHere(
      'createWebhookSource',
      'label: "made here", eventName: "a.b", verification: TOKEN',
      'webhook_sources',
    ),
    'Mutation.updateWebhookEndpoint': same('updateWebhookEndpoint', 'endpointId'),
    'Mutation.deleteWebhookEndpoint': same('deleteWebhookEndpoint', 'endpointId'),
    'Mutation.rotateWebhookEndpointSecret': same('rotateWebhookEndpointSecret', 'endpointId'),
    'Mutation.redeliverWebhook': same('redeliverWebhook', 'deliveryId'),
    'Mutation.updateWebhookSource': same('updateWebhookSource', 'sourceId'),
    'Mutation.deleteWebhookSource': same('deleteWebhookSource', 'sourceId'),
    'Mutation.rotateWebhookSourceSecret': same('rotateWebhookSourceSecret', 'sourceId'),
  };
}
