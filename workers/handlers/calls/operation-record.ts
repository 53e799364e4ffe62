import { json } from 'node:stream/consumers';
import { DomainError } from '../../../src/core/errors.ts';
import { operationKey } from '../../../src/storage/call-keys.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import type { HandlerContext } from '../../handler.ts';

/** The operation of a provider that is under way. At a fixed place as soon as it has begun: a run that is repeated goes on with it. */
export interface OperationRecord {
  readonly operationId: string;
  readonly provider: string;
  readonly startedAtMs: number;
  /** How often another one was begun in its place. */
  readonly restarts: number;
}

/** Null while there is none. */
export async function readOperation(
  { tools, signal }: HandlerContext,
  callId: string,
): Promise<OperationRecord | null> {
  try {
    const { stream } = await tools.storage.get(operationKey(callId), { signal });
    return (await json(stream)) as OperationRecord;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'ObjectNotFound') return null;
    throw error;
  }
}

export async function writeOperation(
  { tools, signal }: HandlerContext,
  callId: string,
  record: OperationRecord,
): Promise<void> {
  await putBytes(tools.storage, operationKey(callId), JSON.stringify(record), { signal });
}
