import type { Actor } from '../core/actor.ts';
import { pipelineLogKey } from '../storage/pipeline-log-key.ts';
import type { SignedUrl } from '../storage/url-signer.ts';
import type { JobsDeps } from './deps.ts';
import { requireRole } from './require-role.ts';

/**
 * A signed URL of the log file of a job that the actor may see; null when there is none: the setting is off, no run has ended yet, or
 * its definition writes none.
 * @throws DomainError `Forbidden` unless a tenant admin asks; `StorageUnavailable`
 */
export async function jobLogFile(
  { store, urls, config, loggedKeys }: Pick<JobsDeps, 'store' | 'urls' | 'config' | 'loggedKeys'>,
  actor: Actor,
  jobId: string,
  definitionKey: string,
): Promise<SignedUrl | null> {
  requireRole(actor, 'tenant_admin', 'read log files', 'jobs:read');
  if (!loggedKeys.has(definitionKey)) return null;
  const key = pipelineLogKey(jobId);
  return (await store.stat(key)) === null
    ? null
    : await urls.get(key, { expiresInSeconds: config.signedUrlSeconds });
}
