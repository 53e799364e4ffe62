import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { pipelineLogKey } from '../storage/pipeline-log-key.ts';
import type { SignedUrl } from '../storage/url-signer.ts';
import type { JobsDeps } from './deps.ts';

/**
 * A signed URL of the log file of a job that the actor may see; null when there is none: the setting is off,
 * no run has ended yet, or its definition writes none.
 * @throws DomainError `Forbidden` unless a tenant admin asks; `StorageUnavailable`
 */
export const jobLogFile = defineUseCase(
  { name: 'jobLogFile', role: 'tenant_admin', scope: 'jobs:read', toDo: 'read log files' },
  async (
    { store, urls, config, loggedKeys }: Pick<JobsDeps, 'store' | 'urls' | 'config' | 'loggedKeys'>,
    _caller: Caller,
    jobId: string,
    definitionKey: string,
  ): Promise<SignedUrl | null> => {
    if (!loggedKeys.has(definitionKey)) return null;
    const key = pipelineLogKey(jobId);
    return (await store.stat(key)) === null
      ? null
      : await urls.get(key, { expiresInSeconds: config.signedUrlSeconds });
  },
);
