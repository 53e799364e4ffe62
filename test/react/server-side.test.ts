import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createMillraceClient } from '../../src/client/index.ts';
import {
  MillraceProvider,
  useClips,
  useJob,
  useJobArtifacts,
  useJobLog,
  useJobs,
  useVideos,
} from '../../src/react/index.ts';

function Page(): ReactElement {
  const { jobs, isReady, connection } = useJobs({ statuses: ['RUNNING'] });
  const { videos } = useVideos();
  const { clips } = useClips({ createdByMe: true });
  const { job } = useJob('01900000-0000-7000-8000-000000000001');
  const { job: none } = useJob(null);
  const { artifacts } = useJobArtifacts('01900000-0000-7000-8000-000000000001');
  const { lines } = useJobLog('01900000-0000-7000-8000-000000000001');
  return createElement(
    'p',
    null,
    JSON.stringify({
      jobs,
      videos,
      clips,
      isReady,
      connection,
      job: job ?? '…',
      none: none ?? '…',
      lines,
      artifacts: artifacts ?? '…',
    }),
  );
}

it('a server renders the hooks as what is not there yet, and connects to nothing', () => {
  let asked = 0;
  const client = createMillraceClient({
    url: 'http://127.0.0.1:1/graphql',
    token: () => {
      asked++;
      return 'x';
    },
  });
  const html = renderToString(createElement(MillraceProvider, { client }, createElement(Page)));
  const shown = JSON.parse(html.replace(/<\/?p>/g, '').replaceAll('&quot;', '"'));
  expect(shown).toEqual({
    jobs: [],
    videos: [],
    clips: [],
    isReady: false,
    connection: 'idle',
    job: '…',
    none: '…',
    lines: [],
    artifacts: '…',
  });
  expect(asked).toBe(0);
});

it('a hook without a provider says what is missing', () => {
  expect(() => renderToString(createElement(Page))).toThrow('There is no <MillraceProvider client={…}>');
});
