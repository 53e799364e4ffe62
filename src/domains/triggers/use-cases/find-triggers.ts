import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { EventRow, ReadTransaction, TriggerRow, TriggerRunRow } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';
import type { RunOutcome } from '../dispatch/run-log.ts';
import { parseEventName } from '../event-name.ts';
import { type FailingTriggerRow, failingTriggers } from '../sql/failing-triggers.ts';

export interface TriggerFilter {
  readonly kind?: 'event' | 'schedule' | null | undefined;
  readonly isEnabled?: boolean | null | undefined;
  /** Those whose last run failed, or the others. */
  readonly lastRunFailed?: boolean | null | undefined;
}

/** Outcomes of runs with which nothing is wrong, though some make no job. */
const FINE_OUTCOMES: readonly RunOutcome[] = ['enqueued', 'duplicate', 'condition_false', 'disabled'];

export interface EventFilter {
  readonly name?: string | null | undefined;
}

/**
 * A page of the tenant's triggers, newest first.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const findTriggers = defineUseCase(
  {
    name: 'findTriggers',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read triggers and events',
    cost: (_filter, page) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    { kind, isEnabled, lastRunFailed }: TriggerFilter,
    page: PageArgs,
  ): Promise<ListedPage<TriggerRow>> => {
    const window = windowOf('triggers', page);
    const failing =
      lastRunFailed == null
        ? []
        : await reads.query<FailingTriggerRow>(failingTriggers, [actor.tenantId, FINE_OUTCOMES]);
    const ids = failing.map(({ id }) => id);
    const prisma = await reads.prisma();
    const fetched = await prisma.trigger.findMany({
      where: {
        tenantId: actor.tenantId,
        id: window.id,
        ...(kind != null && { kind }),
        ...(isEnabled != null && { isEnabled }),
        ...(lastRunFailed != null && { AND: { id: lastRunFailed ? { in: ids } : { notIn: ids } } }),
      },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

/** The tenant's trigger with an id; null when there is none. */
export const findTrigger = defineUseCase(
  { name: 'findTrigger', role: 'member', scope: 'jobs:read', toDo: 'read triggers and events' },
  async (reads: ReadTransaction, actor: Caller, id: string): Promise<TriggerRow | null> => {
    const prisma = await reads.prisma();
    return await prisma.trigger.findFirst({ where: { tenantId: actor.tenantId, id } });
  },
);

/**
 * A page of the tenant's events, newest first.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const findEvents = defineUseCase(
  {
    name: 'findEvents',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read triggers and events',
    cost: (_filter, page) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    { name }: EventFilter,
    page: PageArgs,
  ): Promise<ListedPage<EventRow>> => {
    const window = windowOf('events', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.appEvent.findMany({
      where: { tenantId: actor.tenantId, id: window.id, ...(name != null && { name: parseEventName(name) }) },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

/** The tenant's event with an id; null when there is none. */
export const findEvent = defineUseCase(
  { name: 'findEvent', role: 'member', scope: 'jobs:read', toDo: 'read triggers and events' },
  async (reads: ReadTransaction, actor: Caller, id: string): Promise<EventRow | null> => {
    const prisma = await reads.prisma();
    return await prisma.appEvent.findFirst({ where: { tenantId: actor.tenantId, id } });
  },
);

/**
 * A page of what became of a trigger's ticks and events, or of an event at its triggers, newest first.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const findTriggerRuns = defineUseCase(
  { name: 'findTriggerRuns', role: 'member', scope: 'jobs:read', toDo: 'read triggers and events' },
  async (
    reads: ReadTransaction,
    actor: Caller,
    of: { readonly triggerId: string } | { readonly eventId: string },
    page: PageArgs,
  ): Promise<ListedPage<TriggerRunRow>> => {
    const window = windowOf(`trigger-runs/${'triggerId' in of ? of.triggerId : of.eventId}`, page);
    const prisma = await reads.prisma();
    const fetched = await prisma.triggerRun.findMany({
      where: { tenantId: actor.tenantId, id: window.id, ...of },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

/** In the order of the ids; null for those that are not there. */
export const triggersByIds = defineUseCase(
  { name: 'triggersByIds', role: 'member', scope: 'jobs:read', toDo: 'read triggers and events' },
  async (reads: ReadTransaction, actor: Caller, ids: readonly string[]): Promise<(TriggerRow | null)[]> => {
    const prisma = await reads.prisma();
    return inOrder(
      ids,
      await prisma.trigger.findMany({ where: { tenantId: actor.tenantId, id: { in: [...ids] } } }),
    );
  },
);

/** In the order of the ids; null for those that are not there. */
export const eventsByIds = defineUseCase(
  { name: 'eventsByIds', role: 'member', scope: 'jobs:read', toDo: 'read triggers and events' },
  async (reads: ReadTransaction, actor: Caller, ids: readonly string[]): Promise<(EventRow | null)[]> => {
    const prisma = await reads.prisma();
    return inOrder(
      ids,
      await prisma.appEvent.findMany({ where: { tenantId: actor.tenantId, id: { in: [...ids] } } }),
    );
  },
);

/** In the order of the ids; null for those that are not there. */
export const runsByIds = defineUseCase(
  { name: 'runsByIds', role: 'member', scope: 'jobs:read', toDo: 'read triggers and events' },
  async (
    reads: ReadTransaction,
    actor: Caller,
    ids: readonly string[],
  ): Promise<(TriggerRunRow | null)[]> => {
    const prisma = await reads.prisma();
    return inOrder(
      ids,
      await prisma.triggerRun.findMany({ where: { tenantId: actor.tenantId, id: { in: [...ids] } } }),
    );
  },
);

function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): (Row | null)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}
