import { PermanentError } from '../../../src/core/errors.ts';
import type { ArtifactRecord } from '../../../src/core/outcome.ts';
import type { HandlerContext } from '../../handler.ts';
import { QuotaUsedUp, type SpeechAudio, type SpeechProvider } from '../../tools/speech/provider.ts';
import { type OperationRecord, readOperation, requestIdOf, writeOperation } from './operation-record.ts';
import type { TranscribeOwn } from './own.ts';

/**
 * The operation of a call: the one that is under way, or one that is begun now. That it is about to begin is
 * written first: a run that a crash left in between sends the same start with the same id, which a provider
 * that knows such ids answers with the operation that it has begun already. Where the operator does not want
 * to risk a second charge, it ends the call instead.
 * @throws PermanentError `StartUnknown`; whatever the provider's start throws
 */
export async function beginOperation(
  context: HandlerContext<unknown, TranscribeOwn>,
  callId: string,
  provider: SpeechProvider,
  audio: SpeechAudio,
  ogg: ArtifactRecord | null = null,
): Promise<OperationRecord> {
  const { own, log } = context;
  const earlier = await readOperation(context, callId);
  if (earlier?.state === 'begun') return earlier;
  const isUnknown = earlier?.state === 'starting' && earlier.provider === provider.name;
  if (isUnknown && own.onUnknownStart === 'fail') {
    await writeOperation(context, callId, { ...earlier, state: 'ended', startNo: earlier.startNo + 1 });
    throw new PermanentError(
      'StartUnknown',
      `A run was interrupted while it began the operation of ${provider.name}, which may have begun, and may be charged for. Retry the job to begin another one.`,
    );
  }
  if (isUnknown)
    log.warn(
      'A run was interrupted while it began the operation. Its start is sent again with the same Idempotency-Key; a provider that does not know such keys may charge for it twice',
    );
  const intent: OperationRecord = {
    ...(earlier ?? { restarts: 0, startNo: 1, begunCount: 0, repeatedCount: 0, ogg }),
    ...{ state: 'starting', operationId: '', provider: provider.name, startedAtMs: own.nowMs() },
    repeatedCount: (earlier?.repeatedCount ?? 0) + (isUnknown ? 1 : 0),
  };
  await writeOperation(context, callId, intent);
  // Right before: an operation costs money, and an overtaken run has none to begin.
  await context.fence();
  const operationId = await provider
    .start(audio, requestIdOf(callId, intent.startNo), context.signal)
    .catch(async (error: unknown) => {
      // It was refused: nothing has begun.
      if (error instanceof QuotaUsedUp || error instanceof PermanentError)
        await writeOperation(context, callId, { ...intent, state: 'ended' });
      throw error;
    });
  const begun: OperationRecord = {
    ...intent,
    state: 'begun',
    operationId,
    begunCount: intent.begunCount + 1,
  };
  await writeOperation(context, callId, begun);
  return begun;
}

/**
 * The operation has failed; what is begun next is another one. @param isRetry it is begun by itself, and not
 * because somebody retries the job
 */
export async function endOperation(
  context: HandlerContext<unknown, TranscribeOwn>,
  callId: string,
  record: OperationRecord,
  isRetry: boolean,
): Promise<void> {
  await writeOperation(context, callId, {
    ...record,
    state: 'ended',
    startNo: record.startNo + 1,
    restarts: isRetry ? record.restarts + 1 : 0,
  });
}
