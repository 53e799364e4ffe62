import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import type { TestS3 } from './s3-server.ts';

const VERSION = { 'tus-resumable': '1.0.0' };

/** One request, with a whole body or none. */
export async function send(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: Uint8Array,
) {
  const request = httpRequest(url, { method, headers: { ...VERSION, ...headers }, agent: false });
  // A refusal may come before all of the body is sent.
  request.on('error', () => undefined).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const isJson =
    method !== 'HEAD' && response.headers['content-type']?.startsWith('application/json') === true;
  const error = isJson ? ((await json(response)) as { error: { code: string } }).error : null;
  if (!isJson) await buffer(response);
  return { status: response.statusCode, headers: response.headers, error };
}

export const begin = async (url: string, sizeBytes: number, headers: Record<string, string> = {}) =>
  send('POST', url, { 'upload-length': String(sizeBytes), ...headers });
export const pieceHeaders = (offset: number) => ({
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offset),
});
export const patch = (url: string, offset: number, body: Uint8Array) =>
  send('PATCH', url, pieceHeaders(offset), body);

/** Sends the first bytes of a piece and leaves it open. */
export function openPatch(url: string, offset: number, lengthBytes: number, first: Uint8Array) {
  const headers = { ...VERSION, ...pieceHeaders(offset), 'content-length': String(lengthBytes) };
  const request = httpRequest(url, { method: 'PATCH', headers, agent: false });
  const ended = new Promise<number>((resolve) => {
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    request.on('error', () => resolve(0));
  });
  request.write(first);
  return { request, ended };
}

/** Multipart uploads that a bucket still holds parts of. */
export async function unfinishedUploads(s3: TestS3): Promise<number> {
  const { S3Client, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3');
  const { endpoint, credentials } = s3.settings;
  const client = new S3Client({
    endpoint: endpoint as string,
    region: 'us-east-1',
    credentials: credentials as NonNullable<typeof credentials>,
    forcePathStyle: true,
  });
  const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket }));
  client.destroy();
  return Uploads?.length ?? 0;
}
