import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { Lease } from '../../../core/queue.ts';
import { checkNumber } from '../../../operations/ranges.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { reserveJobFile } from '../files/job-file-room.ts';
import type { RemoteDeps } from './deps.ts';
import { jobFileKey } from './job-file-key.ts';
import { checkLease, tenantServedBy } from './lease.ts';

/** A file of the job's subject, with where to read it. */
export interface JobFile {
  readonly kind: string;
  readonly key: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly url: string;
  readonly urlExpiresAt: Date;
}

/** Where to write one file of a run. */
export interface JobUpload {
  /** What `completeJob` takes as the key of an artifact. */
  readonly key: string;
  readonly upload: SignedUrl;
}

const MAX_FILES = 200;

/**
 * The files that earlier runs have published for the job's subject, each with a signed URL.
 * @param kind of one kind alone
 * @returns at most 200, by key
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease`
 */
export const findJobFiles = defineUseCase(
  { name: 'findJobFiles', role: 'worker', scope: 'jobs:write', toDo: 'read files of jobs', cost: 10 },
  async (deps: RemoteDeps, actor: Caller, given: Lease, kind: string | null): Promise<readonly JobFile[]> => {
    checkFilterText('kind', kind, 64);
    const { job } = await deps.remote.holding(checkLease(given), tenantServedBy(actor));
    const { tenantId, subject } = job;
    if (subject === null) return [];
    const found = await deps.remote.findArtifacts(tenantId, subject, kind);
    const life = { expiresInSeconds: deps.config.signedUrlSeconds };
    return Promise.all(
      found.slice(0, MAX_FILES).map(async ({ kind, key, sizeBytes, sha256, contentType }) => {
        const { url, expiresAt } = await deps.urls.get(key, life);
        return {
          kind,
          key,
          sizeBytes,
          sha256,
          contentType,
          url,
          urlExpiresAt: expiresAt,
        };
      }),
    );
  },
);

/**
 * Gives a URL to upload one file of a run to. It becomes an artifact when the job is completed with its key.
 * @param name of the file, below the run's own prefix
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease` `QuotaExceeded`
 */
export const createJobUpload = defineUseCase(
  { name: 'createJobUpload', role: 'worker', scope: 'jobs:write', toDo: 'upload files of jobs', cost: 10 },
  async (
    deps: RemoteDeps,
    actor: Caller,
    given: Lease,
    file: {
      readonly name: string;
      readonly contentType?: string | null | undefined;
      readonly sizeBytes?: number | null | undefined;
    },
  ): Promise<JobUpload> => {
    checkFilterText('contentType', file.contentType, 200);
    const { job } = await deps.remote.holding(checkLease(given), tenantServedBy(actor));
    const key = jobFileKey(job.tenantId, job.id, job.runNo, file.name);
    const maxSizeBytes = Math.min(
      deps.config.maxUploadBytes,
      deps.urls.maxPutBytes ?? Number.MAX_SAFE_INTEGER,
    );
    checkNumber('sizeBytes', file.sizeBytes, 0, maxSizeBytes);
    await reserveJobFile(deps, job, key, file.sizeBytes ?? null);
    const upload = await deps.urls.put(key, {
      maxSizeBytes: file.sizeBytes ?? maxSizeBytes,
      ...(file.sizeBytes != null && { sizeBytes: file.sizeBytes }),
      ...(file.contentType != null && { contentType: file.contentType }),
      expiresInSeconds: deps.config.signedUrlSeconds,
    });
    return { key, upload };
  },
);
