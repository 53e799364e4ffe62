import DataLoader from 'dataloader';
import { type ArtifactPage, type ArtifactPageKey, findArtifactPages } from '../jobs/job-artifacts.ts';
import { defineLoader } from './loader.ts';

/** Pages of what jobs have made: those of many jobs in one statement. */
export const artifactPageLoader = defineLoader<ArtifactPageKey, ArtifactPage>(
  ({ reads, tenantId }) =>
    new DataLoader((keys) => findArtifactPages(reads, tenantId, keys), {
      cacheKeyFn: JSON.stringify as never,
    }),
);
