import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { ReadTransaction, WebhookDeliveryRow, WebhookEndpointRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';
import { MANAGE } from './endpoints.ts';

/** A page of the tenant's endpoints, newest first. @throws DomainError `Forbidden` `InvalidArgument` */
export const findWebhookEndpoints = defineUseCase(
  {
    name: 'findWebhookEndpoints',
    ...MANAGE,
    toDo: 'see webhooks',
    cost: (page, _onlyId) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    page: PageArgs,
    onlyId: string | null,
  ): Promise<ListedPage<WebhookEndpointRow>> => {
    const window = windowOf('webhook-endpoints', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.webhookEndpoint.findMany({
      where: { tenantId, id: window.id, ...(onlyId !== null && { AND: { id: onlyId } }) },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

/**
 * A page of what became of an endpoint's deliveries, newest first.
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound`
 */
export const findWebhookDeliveries = defineUseCase(
  {
    name: 'findWebhookDeliveries',
    ...MANAGE,
    toDo: 'see webhooks',
    cost: (_endpointId, page) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    endpointId: string,
    page: PageArgs,
  ): Promise<ListedPage<WebhookDeliveryRow>> => {
    const window = windowOf(`webhook-deliveries/${endpointId}`, page);
    const prisma = await reads.prisma();
    const found = await prisma.webhookEndpoint.findFirst({
      where: { tenantId, id: endpointId },
      select: { id: true },
    });
    if (found === null) throw notFound('webhook endpoint', endpointId);
    const fetched = await prisma.webhookDelivery.findMany({
      where: { tenantId, endpointId, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

/** An endpoint of the tenant; null when it is not there. @throws DomainError `Forbidden` */
export const findWebhookEndpoint = defineUseCase(
  { name: 'findWebhookEndpoint', ...MANAGE, toDo: 'see webhooks' },
  async (reads: ReadTransaction, { tenantId }: Caller, id: string): Promise<WebhookEndpointRow | null> =>
    (await reads.prisma()).webhookEndpoint.findFirst({ where: { tenantId, id } }),
);
