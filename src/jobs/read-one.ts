import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { ClipRow, JobRow, TenantRow, VideoRow } from '../db/prisma.ts';

/** Where rows are read from by their ids, those within the caller's reach alone; a missing one is null. */
export interface RowSource<Row> {
  load(id: string): Promise<Row | null>;
}

/** One job of the caller's tenant; null when it is not there or out of reach. */
export const readJob = defineUseCase(
  { name: 'readJob', role: 'member', scope: 'jobs:read', toDo: 'read jobs' },
  async (source: RowSource<JobRow>, _caller: Caller, id: string) => source.load(id),
);

/** One video of the caller's tenant; null as above. */
export const readVideo = defineUseCase(
  { name: 'readVideo', role: 'member', scope: 'videos:read', toDo: 'read videos' },
  async (source: RowSource<VideoRow>, _caller: Caller, id: string) => source.load(id),
);

/** One clip of the caller's tenant; null as above. */
export const readClip = defineUseCase(
  { name: 'readClip', role: 'member', scope: 'videos:read', toDo: 'read clips' },
  async (source: RowSource<ClipRow>, _caller: Caller, id: string) => source.load(id),
);

/**
 * The tenant that the caller acts on; null when it has been deleted. Which of its fields are shown is by
 * scope.
 */
export const readTenant = defineUseCase(
  { name: 'readTenant', role: 'member', scope: 'jobs:read', toDo: 'read this' },
  async (source: RowSource<TenantRow>, caller: Caller) => source.load(caller.tenantId),
);
