import { parentPort, workerData } from 'node:worker_threads';
import { DomainError, toError } from '../core/errors.ts';
import type { CheckAnswer, CheckOrder, ThreadReady, ThreadSetup } from './payload-thread-messages.ts';
import { PayloadValidator } from './payload-validator.ts';

// The entry of the threads that check large payloads: what takes long there keeps nobody waiting but who sent
// it.

const port = parentPort;
if (port === null) throw new Error('payload-thread.ts is started as a worker thread');
const validator = new PayloadValidator((workerData as ThreadSetup).maxPayloadBytes);
port.on('message', (order: CheckOrder) => port.postMessage(answerTo(order)));
port.postMessage('ready' satisfies ThreadReady);

function answerTo({ definition, json }: CheckOrder): CheckAnswer {
  try {
    return { kind: 'taken', json: validator.checkJson(definition, json) };
  } catch (error) {
    const isRefusal =
      error instanceof DomainError && (error.code === 'InvalidPayload' || error.code === 'PayloadTooLarge');
    if (!isRefusal) return { kind: 'failed', message: toError(error).message };
    const { code, message, details } = error as DomainError & { code: 'InvalidPayload' | 'PayloadTooLarge' };
    return { kind: 'refused', code, message, details };
  }
}
