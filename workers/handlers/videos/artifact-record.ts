import type { ArtifactRecord } from '../../../src/core/outcome.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';

/** The row of an object that a run has put into the store. */
export function artifactOf(
  kind: string,
  { key, sizeBytes, sha256, contentType }: StoredObject,
  metadata?: ArtifactRecord['metadata'],
): ArtifactRecord {
  return { kind, key, sizeBytes, sha256, contentType, ...(metadata && { metadata }) };
}
