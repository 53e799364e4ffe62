import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { Feed } from '../events/feed.ts';

/**
 * How many jobs of the caller's tenant are in each status, now.
 * @throws DomainError `InvalidArgument` for a window that is not one of those that are counted
 */
export const readJobSummary = defineUseCase(
  // One bounded count, shared with all who ask at the same time.
  { name: 'readJobSummary', role: 'member', scope: 'jobs:read', toDo: 'read jobs', cost: 50 },
  async (feed: Pick<Feed, 'readSummary'>, { tenantId }: Caller, sinceSeconds?: number | null) =>
    feed.readSummary(tenantId, sinceSeconds),
);
