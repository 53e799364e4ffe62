import type { SyncedDefinition } from '../../../core/definition-records.ts';
import type { ClaimedJob } from '../../../core/queue.ts';
import type { SecretBox } from '../../../payloads/secret-box.ts';
import { createPayloadCheck, type PayloadCheck } from '../../../runs/payload-check.ts';
import type { RemoteDeps } from './deps.ts';

/** Compiled schemas, by what decrypts the payloads: one for each server of the process. */
const checks = new WeakMap<SecretBox, PayloadCheck>();

/**
 * The payload as a handler gets it: decrypted, checked, with the schema's defaults.
 * @throws PermanentError `InvalidPayload`
 */
export function openPayload(
  { secrets }: Pick<RemoteDeps, 'secrets'>,
  { job }: ClaimedJob,
  definition: SyncedDefinition | undefined,
): unknown {
  let check = checks.get(secrets);
  if (check === undefined) {
    check = createPayloadCheck(secrets);
    checks.set(secrets, check);
  }
  return definition === undefined ? job.payload : check.parse(definition, job.payload, job.tenantId);
}
