import { parentPort } from 'node:worker_threads';
import type { PageAnswer, PageOrder } from './page-content.ts';
import { parsePage } from './parse-page.ts';

// The entry of the thread that reads one page: a page that takes too long or too much memory ends the thread
// and nothing else.

const port = parentPort;
if (port === null) throw new Error('page-thread.ts is started as a worker thread');
port.once('message', ({ html, url }: PageOrder) => {
  try {
    port.postMessage({ kind: 'content', content: parsePage(html, url) } satisfies PageAnswer);
  } catch (error) {
    port.postMessage({ kind: 'failed', message: String(error).slice(0, 500) } satisfies PageAnswer);
  }
});
