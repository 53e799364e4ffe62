import DataLoader from 'dataloader';
import type { Artifact } from '../generated/prisma/client.ts';
import { type ArtifactPage, type ArtifactPageKey, findArtifactPages } from '../jobs/job-artifacts.ts';
import { defineLoader } from './loader.ts';
import { rowsById } from './loaders.ts';

/** Files by their ids. Whether their jobs are within reach is asked of the jobs. */
export const artifactLoader = defineLoader(({ reads, tenantId }) =>
  rowsById<Artifact>(reads, (prisma, ids) =>
    prisma.artifact.findMany({ where: { tenantId, id: { in: ids } } }),
  ),
);

/** Pages of what jobs have made: those of many jobs in one statement. */
export const artifactPageLoader = defineLoader<ArtifactPageKey, ArtifactPage>(
  ({ reads, tenantId }) =>
    new DataLoader((keys) => findArtifactPages(reads, tenantId, keys), {
      cacheKeyFn: JSON.stringify as never,
    }),
);
