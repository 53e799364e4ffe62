import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, callApi } from './call-api.ts';

/** What the sample's feed says, one letter wrong: a search does not mind. */
export const SAMPLE_QUERY = 'watr wheel';

export interface SampleHit {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SampleSearch {
  readonly hits: readonly SampleHit[];
  /** The URL of the first hit, signed: it works without a token until it expires. */
  readonly clipUrl: string;
}

export interface SampleWatch {
  /** Called when the pipeline is at another stage, or has come ten percent further. */
  readonly onProgress: (stage: string, percent: number) => void;
  readonly signal: AbortSignal;
}

interface Pipeline {
  readonly video: {
    readonly status: string;
    readonly error: { readonly message: string } | null;
    readonly pipeline: { readonly percent: number; readonly stage: string | null } | null;
  } | null;
}
interface Found {
  readonly searchVideos: {
    readonly edges: readonly { readonly hits: readonly { readonly segment: SampleHit }[] }[];
  };
}
interface Requested {
  readonly requestClip: { readonly clip?: { readonly id: string }; readonly message?: string };
}
interface Clip {
  readonly clip: {
    readonly status: string;
    readonly url: string | null;
    readonly error: { readonly message: string } | null;
  } | null;
}

const LOOK_MS = 250;

/**
 * Waits until a video can be searched, searches it and has a clip made of the first hit: all through the API,
 * as any client would.
 * @throws Error when a stage fails, nothing is found, or the clip cannot be made; the signal's reason
 */
export async function searchSample(
  api: ApiClient,
  videoId: string,
  { onProgress, signal }: SampleWatch,
): Promise<SampleSearch> {
  await ready(api, videoId, { onProgress, signal });
  const { searchVideos } = await callApi<Found>(
    api,
    `query ($query: String!, $videoId: ID!) { searchVideos(query: $query, filter: { videoIds: [$videoId] }, first: 1) {
      edges { hits { segment { text startMs endMs } } } } }`,
    { query: SAMPLE_QUERY, videoId },
  );
  const hits = (searchVideos.edges[0]?.hits ?? []).map(({ segment }) => segment);
  const [best] = hits;
  if (best === undefined) throw new Error(`Nothing was found for ${JSON.stringify(SAMPLE_QUERY)}`);
  const { requestClip } = await callApi<Requested>(
    api,
    `mutation ($input: RequestClipInput!) { requestClip(input: $input) {
      ... on RequestClipPayload { clip { id } } ... on DomainFailure { message } } }`,
    { input: { videoId, startMs: best.startMs, endMs: best.endMs, paddingMs: 500 } },
  );
  if (requestClip.clip === undefined) throw new Error(`requestClip: ${requestClip.message}`);
  return { hits, clipUrl: await clipUrl(api, requestClip.clip.id, signal) };
}

async function ready(api: ApiClient, videoId: string, { onProgress, signal }: SampleWatch): Promise<void> {
  let said = '';
  for (;;) {
    const { video } = await callApi<Pipeline>(
      api,
      'query ($id: ID!) { video(id: $id) { status error { message } pipeline { percent stage } } }',
      { id: videoId },
    );
    if (video?.status === 'READY') return;
    if (video?.status === 'FAILED') throw new Error(video.error?.message ?? 'A stage failed');
    const { stage = null, percent = 0 } = video?.pipeline ?? {};
    const now = `${stage} ${Math.floor(percent / 10)}`;
    if (stage !== null && now !== said) onProgress(stage.toLowerCase(), percent);
    said = now;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

async function clipUrl(api: ApiClient, id: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { clip } = await callApi<Clip>(
      api,
      'query ($id: ID!) { clip(id: $id) { status url error { message } } }',
      { id },
    );
    if (clip?.url != null) return clip.url;
    if (clip?.status === 'FAILED') throw new Error(clip.error?.message ?? 'The clip failed');
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/** What was found and the clip, for people. */
export function searchBlock({ hits, clipUrl: url }: SampleSearch): string {
  return `\n${[
    'The sample can be searched.',
    '',
    `  Search       ${JSON.stringify(SAMPLE_QUERY)} (a letter is missing) finds`,
    ...hits.map(({ text, startMs, endMs }) => `               ${clock(startMs)} to ${clock(endMs)}  ${text}`),
    `  Clip         ${url}`,
    '               Of the first hit. Open it: the URL needs no token.',
    '',
  ].join('\n')}\n`;
}

/** `0:04.2` */
function clock(ms: number): string {
  const tenths = Math.round(ms / 100);
  return `${Math.floor(tenths / 600)}:${String(Math.floor((tenths % 600) / 10)).padStart(2, '0')}.${tenths % 10}`;
}
