import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PermanentError } from '../../../src/core/errors.ts';
import type { PageAnswer, PageContent, PageOrder } from './page-content.ts';

const TIMEOUT_MS = 20_000;
const MAX_MEMORY_MB = 512;

/**
 * Reads a page in a thread of its own.
 * @throws PermanentError `PageUnreadable` for a page that takes too long, too much memory, or cannot be read;
 *   the signal's reason
 */
export async function readPage(order: PageOrder, signal: AbortSignal): Promise<PageContent> {
  signal.throwIfAborted();
  // `.js` in the package: the compiler rewrites imports, not URLs.
  const thread = new Worker(new URL(`./page-thread${extname(import.meta.filename)}`, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, stackSizeMb: 8 },
    stdout: true,
    stderr: true,
  });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer = await new Promise<PageAnswer>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', (error) => reject(unreadable(error.message)));
      thread.once('exit', () => reject(unreadable('its thread ended')));
      deadline.addEventListener('abort', () =>
        reject(
          signal.aborted
            ? (signal.reason as Error)
            : unreadable(`it takes more than ${TIMEOUT_MS / 1_000} s`),
        ),
      );
      thread.postMessage(order);
    });
    if (answer.kind === 'failed') throw unreadable(answer.message);
    return answer.content;
  } finally {
    await thread.terminate();
  }
}

function unreadable(reason: string): PermanentError {
  return new PermanentError('PageUnreadable', `The page cannot be read: ${reason}`);
}
