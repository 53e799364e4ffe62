import { readFile } from 'node:fs/promises';
import { type ApiClient, callApi } from './call-api.ts';

const SAMPLE = new URL('../../assets/sample.mp4', import.meta.url);
const TITLE = 'Sample: a scrolling feed';

interface ExistingVideos {
  readonly videos: {
    readonly nodes: readonly { readonly id: string; readonly title: string; readonly status: string }[];
  };
}
interface Created {
  readonly createVideo:
    | {
        readonly __typename: 'CreateVideoPayload';
        readonly video: { readonly id: string };
        readonly upload: {
          readonly method: string;
          readonly url: string;
          readonly headers: readonly { readonly name: string; readonly value: string }[];
        };
      }
    | { readonly __typename: string; readonly message: string };
}
interface Completed {
  readonly completeVideoUpload: { readonly __typename: string; readonly message?: string };
}

/**
 * Puts the sample video in the way any client would: createVideo, PUT to the signed URL, completeVideoUpload.
 * Does nothing when an earlier start has already.
 * @returns its id, and whether it was put in now
 */
export async function addSampleVideo(
  api: ApiClient,
): Promise<{ readonly videoId: string; readonly isNew: boolean }> {
  const existing = await callApi<ExistingVideos>(api, '{ videos(first: 100) { nodes { id title status } } }');
  const earlier = existing.videos.nodes.find(
    (node) => node.title === TITLE && node.status !== 'AWAITING_UPLOAD',
  );
  if (earlier !== undefined) return { videoId: earlier.id, isNew: false };
  const { createVideo } = await callApi<Created>(
    api,
    `mutation ($input: CreateVideoInput!) { createVideo(input: $input) {
      __typename ... on CreateVideoPayload { video { id } upload { method url headers { name value } } } ... on DomainFailure { message } } }`,
    { input: { title: TITLE, fileName: 'sample.mp4', contentType: 'video/mp4' } },
  );
  if (!('upload' in createVideo)) throw new Error(`createVideo: ${createVideo.message}`);
  const { upload, video } = createVideo;
  const put = await fetch(upload.url, {
    method: upload.method,
    headers: Object.fromEntries(upload.headers.map(({ name, value }) => [name, value])),
    body: await readFile(SAMPLE),
  });
  if (!put.ok) throw new Error(`Uploading the sample answered ${put.status}: ${await put.text()}`);
  const { completeVideoUpload } = await callApi<Completed>(
    api,
    `mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { __typename ... on DomainFailure { message } } }`,
    { id: video.id },
  );
  if (completeVideoUpload.message !== undefined)
    throw new Error(`completeVideoUpload: ${completeVideoUpload.message}`);
  return { videoId: video.id, isNew: true };
}
