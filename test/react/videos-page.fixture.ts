/** A page that uploads, searches and cuts with the hooks; bundled and run in a browser by videos.test.ts. */
import { createElement, type ReactElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMillraceClient } from '../../src/client/index.ts';
import {
  MillraceProvider,
  useClip,
  useClips,
  useEnqueue,
  useJobArtifacts,
  useJobSummary,
  useJobs,
  useMillrace,
  useSearch,
  useUpload,
  useVideo,
  useVideos,
} from '../../src/react/index.ts';

declare global {
  var pageSettings: { url: string; token: string };
}

const e = createElement;
const client = createMillraceClient({ url: pageSettings.url, token: pageSettings.token });

function output(id: string, value: unknown): ReactElement {
  return e('output', { key: id, id }, String(value));
}

function Upload(): ReactElement {
  const { upload, progress, video, error } = useUpload();
  const { video: again } = useVideo(video?.id);
  const take = ({ target }: { target: HTMLInputElement }): void => {
    const [file] = target.files ?? [];
    if (file !== undefined) void upload(file, { title: 'A lecture' });
  };
  return e('section', null, [
    e('input', { key: 'file', id: 'file', type: 'file', onChange: take }),
    output('sent', progress === null ? '' : `${progress.sentBytes} of ${progress.totalBytes}`),
    output('video', video?.status),
    output('video-again', again?.status),
    output('video-percent', video?.pipeline?.percent ?? ''),
    output('upload-error', error?.code ?? ''),
  ]);
}

function Search(): ReactElement {
  const millrace = useMillrace();
  const [query, setQuery] = useState('');
  const [clipId, setClipId] = useState<string | null>(null);
  const { results, isPending, error } = useSearch(query === '' ? null : { query });
  const { clip } = useClip(clipId);
  const [first] = results;
  const hit = first?.hits[0]?.segment;
  const cut = async (): Promise<void> => {
    if (first === undefined || hit === undefined) return;
    const { startMs, endMs } = hit;
    setClipId((await millrace.requestClip({ videoId: first.node.id, startMs, endMs })).clip.id);
  };
  return e('section', null, [
    e('input', {
      key: 'query',
      id: 'query',
      value: query,
      onChange: ({ target }: { target: HTMLInputElement }) => setQuery(target.value),
    }),
    output('pending', isPending),
    output('found', results.length),
    output('hit', hit?.text ?? ''),
    output('search-error', error?.code ?? ''),
    e('button', { key: 'cut', id: 'cut', onClick: () => void cut() }, 'Cut'),
    output('clip', clip?.status ?? ''),
    clip?.url && e('video', { key: 'player', id: 'player', src: clip.url, controls: true }),
  ]);
}

function Library(): ReactElement {
  const { videos, isReady } = useVideos({ createdByMe: true });
  const { clips } = useClips();
  return e('section', null, [
    output('library', isReady ? videos.map(({ title, status }) => `${title} ${status}`).join(', ') : '…'),
    output('clips', clips.map(({ status }) => status).join(', ')),
  ]);
}

/** The frames that the sampling of the video kept, in pages of two. */
function Frames(): ReactElement {
  const { jobs } = useJobs({ definitions: ['sample'] });
  const { artifacts, hasMore, loadMore, error } = useJobArtifacts(jobs[0]?.id, { kind: 'frame', first: 2 });
  return e('section', null, [
    output('frames', artifacts?.map(({ name }) => name).join(' ') ?? '…'),
    output('frame-types', [...new Set(artifacts?.map(({ contentType }) => contentType))].join(' ')),
    output('more-frames', hasMore),
    e('button', { key: 'next', id: 'next-frames', onClick: loadMore }, 'More'),
    e('img', { key: 'frame', id: 'frame', src: artifacts?.[0]?.url ?? undefined }),
    output('frames-error', error?.code ?? ''),
  ]);
}

function Form(): ReactElement {
  const { enqueue, job, error, isPending } = useEnqueue();
  const { summary } = useJobSummary();
  const send = (message: unknown) => () => void enqueue({ definition: 'echo', payload: { message } });
  return e('section', null, [
    e('button', { key: 'good', id: 'good', onClick: send('hello') }, 'Good'),
    e('button', { key: 'bad', id: 'bad', onClick: send(42) }, 'Bad'),
    output('enqueue-pending', isPending),
    output('enqueued', job?.status ?? ''),
    output('enqueue-error', error === null ? '' : `${error.code} ${error.problems[0]?.field}`),
    output('succeeded', summary?.counts.succeeded ?? ''),
  ]);
}

const place = document.getElementById('app');
if (place !== null) {
  createRoot(place).render(
    e(
      StrictMode,
      null,
      e(MillraceProvider, { client }, e(Upload), e(Frames), e(Search), e(Library), e(Form)),
    ),
  );
}
