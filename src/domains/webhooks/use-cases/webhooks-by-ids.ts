import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type {
  ReadTransaction,
  WebhookDeliveryRow,
  WebhookEndpointRow,
  WebhookSourceRow,
} from '../../../db/prisma.ts';
import { MANAGE } from './endpoints.ts';

const SEE = { ...MANAGE, toDo: 'see webhooks' } as const;

/** In the order of the ids; null for those that are not there. @throws DomainError `Forbidden` */
export const webhookEndpointsByIds = defineUseCase(
  { name: 'webhookEndpointsByIds', ...SEE },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    ids: readonly string[],
  ): Promise<(WebhookEndpointRow | null)[]> => {
    const prisma = await reads.prisma();
    return inOrder(ids, await prisma.webhookEndpoint.findMany({ where: { tenantId, id: { in: [...ids] } } }));
  },
);

/** In the order of the ids; null for those that are not there. @throws DomainError `Forbidden` */
export const webhookSourcesByIds = defineUseCase(
  { name: 'webhookSourcesByIds', ...SEE },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    ids: readonly string[],
  ): Promise<(WebhookSourceRow | null)[]> => {
    const prisma = await reads.prisma();
    return inOrder(ids, await prisma.webhookSource.findMany({ where: { tenantId, id: { in: [...ids] } } }));
  },
);

/** In the order of the ids; null for those that are not there. @throws DomainError `Forbidden` */
export const webhookDeliveriesByIds = defineUseCase(
  { name: 'webhookDeliveriesByIds', ...SEE },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    ids: readonly string[],
  ): Promise<(WebhookDeliveryRow | null)[]> => {
    const prisma = await reads.prisma();
    return inOrder(ids, await prisma.webhookDelivery.findMany({ where: { tenantId, id: { in: [...ids] } } }));
  },
);

function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): (Row | null)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}
