import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { DomainError } from '../../../src/core/errors.ts';
import type { ArtifactRecord } from '../../../src/core/outcome.ts';
import { operationKey } from '../../../src/storage/call-keys.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import type { HandlerContext } from '../../handler.ts';

/**
 * What is known of a provider's operation. At a fixed place, written before it is begun and again once it
 * has: a run that is repeated goes on with it.
 */
export interface OperationRecord {
  /**
   * `starting`: its start was about to be sent, and whether it was is not known; `begun`; `ended`: it failed,
   * or was refused, and another one may be begun.
   */
  readonly state: 'starting' | 'begun' | 'ended';
  /** Empty before it has begun. */
  readonly operationId: string;
  readonly provider: string;
  readonly startedAtMs: number;
  /** How often another one was begun by itself in the place of one that had failed. */
  readonly restarts: number;
  /**
   * From 1; what is sent again because nobody saw an answer has the same number, and so the same id of its
   * request.
   */
  readonly startNo: number;
  /** Operations that have begun for certain. */
  readonly begunCount: number;
  /** Starts that were sent again without anybody knowing whether the one before had arrived. */
  readonly repeatedCount: number;
  /** What it was sent, for the run that goes on with it to name among its artifacts. */
  readonly ogg: ArtifactRecord | null;
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

/**
 * The id of a start: the same for every run that sends it, so that a provider that knows such ids begins it
 * once. In the form of a UUID (version 4), as Yandex Cloud asks for.
 */
export function requestIdOf(callId: string, startNo: number): string {
  const hash = createHash('sha256').update(`millrace call ${callId} start ${startNo}`).digest('hex');
  const variant = ((Number.parseInt(hash[16] as string, 16) & 3) | 8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
