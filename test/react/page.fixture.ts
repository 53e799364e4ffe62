/** A page with the hooks, as a frontend has it; bundled and run in a browser by browser.test.ts. */
import { createElement, type ReactElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMillraceClient } from '../../src/client/index.ts';
import { MillraceProvider, useJob, useJobs, useMillrace } from '../../src/react/index.ts';

declare global {
  // What the page is sent, and what the test does with it.
  var settings: { url: string; token: string; transport: 'ws' | 'sse' };
  var show: (isShown: boolean) => void;
}

const e = createElement;
const client = createMillraceClient({
  url: settings.url,
  token: () => settings.token,
  transport: settings.transport,
  backoff: { firstMs: 100, maxMs: 500 },
});

function OneJob({ id }: { readonly id: string }): ReactElement {
  const { job, connection, error } = useJob(id);
  const percent = job?.progress?.percent ?? 0;
  return e('section', { id: 'job' }, [
    e('progress', { key: 'bar', max: 100, value: percent }),
    e('output', { key: 'status', id: 'status' }, job === null ? 'deleted' : (job?.status ?? '…')),
    e('output', { key: 'percent', id: 'percent' }, `${percent}`),
    e('output', { key: 'connection', id: 'connection' }, connection),
    e('output', { key: 'error', id: 'error' }, error?.code ?? ''),
  ]);
}

function Jobs(): ReactElement {
  const millrace = useMillrace();
  const { jobs, isReady } = useJobs({ definitions: ['echo'] });
  const start = (): void => {
    const payload = { message: 'hello', steps: 40, durationMs: 6_000 };
    millrace.enqueue({ definition: 'echo', payload }).catch((error: unknown) => {
      document.title = String(error);
    });
  };
  const [newest] = jobs;
  return e('main', null, [
    e('button', { key: 'start', id: 'start', onClick: start }, 'Start'),
    e('output', { key: 'ready', id: 'ready' }, `${isReady}`),
    e(
      'ul',
      { key: 'list', id: 'list' },
      jobs.map(({ id, status }) => e('li', { key: id }, `${status} ${id}`)),
    ),
    newest && e(OneJob, { key: newest.id, id: newest.id }),
    newest && e(OneJob, { key: `${newest.id} again`, id: newest.id }),
  ]);
}

function App(): ReactElement {
  const [isShown, setShown] = useState(true);
  globalThis.show = setShown;
  return e(MillraceProvider, { client }, isShown ? e(Jobs) : e('p', null, 'nothing'));
}

const place = document.getElementById('app');
if (place !== null) createRoot(place).render(e(StrictMode, null, e(App)));
