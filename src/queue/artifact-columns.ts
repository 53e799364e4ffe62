import { cleanJson } from '../core/clean-text.ts';
import type { Job } from '../core/job.ts';
import type { ArtifactRecord } from '../core/outcome.ts';
import type { Transaction } from '../db/database.ts';
import { upsertArtifacts } from '../db/sql/queue/upsert-artifacts.ts';

/** Artifacts column by column. */
export type ArtifactColumns = readonly (readonly unknown[])[];

/**
 * What a handler returned as artifacts, written out before anything is sent; null when there are none.
 * @throws whatever reading them throws
 */
export function artifactColumns(artifacts: readonly ArtifactRecord[]): ArtifactColumns | null {
  if (artifacts.length === 0) return null;
  return [
    artifacts.map((artifact) => artifact.kind),
    artifacts.map((artifact) => artifact.key),
    artifacts.map((artifact) => artifact.sizeBytes),
    artifacts.map((artifact) => artifact.sha256),
    artifacts.map((artifact) => artifact.contentType),
    artifacts.map((artifact) => cleanJson(artifact.metadata ?? {})),
  ];
}

/**
 * Writes the artifact rows of the run that settles. Without a subject there is nothing to file them under.
 */
export async function recordArtifacts(tx: Transaction, job: Job, columns: ArtifactColumns): Promise<void> {
  if (job.subject === null) return;
  await tx.query(upsertArtifacts, [
    job.tenantId,
    job.id,
    job.runNo,
    job.subject.type,
    job.subject.id,
    ...columns,
  ]);
}
