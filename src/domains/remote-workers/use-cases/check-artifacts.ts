import { DomainError } from '../../../core/errors.ts';
import type { Job } from '../../../core/job.ts';
import type { ArtifactRecord } from '../../../core/outcome.ts';
import { checkStorableJson } from '../../../core/storable-json.ts';
import { refused } from '../../../operations/ranges.ts';
import { storedJobFile } from '../files/job-file-room.ts';
import type { RemoteDeps } from './deps.ts';
import { jobFilePrefix } from './job-file-key.ts';

/** A file that the run has uploaded, to become an artifact of the job's subject. */
export interface RemoteArtifact {
  readonly kind: string;
  /** As the upload's URL said. */
  readonly key: string;
  readonly metadata?: unknown;
}

const KIND = /^[a-z][a-z0-9_.-]{0,63}$/;
const MAX_ARTIFACTS = 1_000;

/**
 * What the store knows of the files, for their rows. A run files its own uploads and nothing else.
 * @throws DomainError `InvalidArgument` `ObjectNotFound`
 */
export async function checkArtifacts(
  { db, store }: Pick<RemoteDeps, 'db' | 'store'>,
  job: Job,
  artifacts: readonly RemoteArtifact[],
): Promise<readonly ArtifactRecord[]> {
  if (artifacts.length === 0) return [];
  if (artifacts.length > MAX_ARTIFACTS)
    throw refused('artifacts', `${artifacts.length} files`, `at most ${MAX_ARTIFACTS}`);
  if (job.subject === null)
    throw refused('artifacts', 'given', 'none, since the job has no subject to file them under');
  const prefix = jobFilePrefix(job.tenantId, job.id, job.runNo);
  const records: ArtifactRecord[] = [];
  for (const [index, { kind, key, metadata }] of artifacts.entries()) {
    const at = `artifacts[${index}]`;
    checkStorableJson(`${at}.metadata`, metadata);
    if (!KIND.test(kind))
      throw refused(
        `${at}.kind`,
        JSON.stringify(kind.slice(0, 80)),
        '1 to 64 of a-z, 0-9, _, -, ., starting with a letter',
      );
    if (!key.startsWith(prefix) || key.includes('..'))
      throw refused(`${at}.key`, JSON.stringify(key.slice(0, 200)), `a key below ${prefix}`);
    const stat = await store.stat(key);
    if (stat === null)
      throw new DomainError('ObjectNotFound', `${at}.key: no file has been uploaded under ${key}.`, {
        field: `${at}.key`,
      });
    await storedJobFile({ db }, key, stat.sizeBytes);
    records.push({
      kind,
      key,
      sizeBytes: stat.sizeBytes,
      sha256: stat.sha256 ?? '',
      contentType: stat.contentType,
      ...(metadata != null && { metadata: metadata as Readonly<Record<string, unknown>> }),
    });
  }
  return records;
}
