import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import type { S3Settings } from '../../src/storage/s3/settings.ts';
import { S3_KEYS, signatureProblem } from './aws-signature.ts';
import { registerOpen } from './leaks.ts';

/** A request as the server saw it. */
export interface S3Request {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly status: number;
}

/**
 * What the server does instead of answering: breaks the connection (`break`, or `cut` in the middle of its
 * answer) or says 503, 403 or 412; `paged` lists no more than 10 objects at a time. Null: nothing, it
 * answers.
 */
export type S3Trouble = (
  request: IncomingMessage,
) => 'break' | 'cut' | 'paged' | 'busy' | 'denied' | 'replaced' | null;

const REFUSALS = {
  busy: [503, 'SlowDown'],
  denied: [403, 'AccessDenied'],
  replaced: [412, 'PreconditionFailed'],
} as const;

/**
 * A real S3 server on loopback with one bucket, which checks signatures and keeps If-None-Match as AWS does.
 */
export interface TestS3 {
  readonly endpoint: string;
  readonly bucket: string;
  readonly requests: readonly S3Request[];
  readonly settings: S3Settings;
  /** Settings of Millrace for this bucket. */
  readonly env: Readonly<Record<string, string>>;
  /** What happens to requests from now on. */
  trouble(trouble: S3Trouble | null): void;
  close(): Promise<void>;
}

/** Starts one; to be closed in `afterAll`. */
export async function startTestS3(): Promise<TestS3> {
  const app = buildApp({ logger: false });
  // Its own start function listens on every address.
  await app.listen({ host: '127.0.0.1', port: 0 });
  const port = (app.server.address() as AddressInfo).port;
  const bucket = `bucket-${randomUUID()}`;
  const made = await fetch(`http://127.0.0.1:${port}/${bucket}`, {
    method: 'PUT',
    headers: { connection: 'close' },
  });
  if (!made.ok) throw new Error(`Making the bucket answered ${made.status}`);
  await made.arrayBuffer();

  const requests: S3Request[] = [];
  let trouble: S3Trouble | null = null;
  const gate = createServer((incoming, answer) => {
    answer.on('finish', () =>
      requests.push({
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        status: answer.statusCode,
      }),
    );
    void answerRequest(incoming, answer, port, trouble).catch(() => incoming.destroy());
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const endpoint = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const closed = registerOpen(`S3 server ${endpoint}`);
  return {
    endpoint,
    bucket,
    requests,
    settings: {
      bucket,
      region: 'us-east-1',
      endpoint,
      publicEndpoint: endpoint,
      pathStyle: true,
      credentials: S3_KEYS,
      keyPrefix: '',
      conditionalUploads: true,
    },
    env: {
      MILLRACE_STORAGE: 's3',
      MILLRACE_S3_BUCKET: bucket,
      MILLRACE_S3_ENDPOINT: endpoint,
      MILLRACE_S3_PATH_STYLE: 'true',
      MILLRACE_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      MILLRACE_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    },
    trouble: (next) => {
      trouble = next;
    },
    close: async () => {
      gate.closeAllConnections();
      await new Promise((resolve) => gate.close(resolve));
      app.server.closeAllConnections();
      await app.close();
      closed();
    },
  };
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag, content-range' };

async function answerRequest(
  incoming: IncomingMessage,
  answer: ServerResponse,
  port: number,
  trouble: S3Trouble | null,
): Promise<void> {
  if (incoming.method === 'OPTIONS') {
    answer.writeHead(204, {
      ...CORS,
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
    });
    answer.end();
    return;
  }
  const instead = trouble?.(incoming) ?? null;
  if (instead === 'break') {
    incoming.socket.destroy();
    return;
  }
  if (instead !== null && instead !== 'cut' && instead !== 'paged') {
    const [status, code] = REFUSALS[instead];
    return refuse(incoming, answer, status, code);
  }
  const problem = signatureProblem(incoming);
  if (problem !== null) return refuse(incoming, answer, 403, problem);
  if (incoming.headers['if-none-match'] === '*' && (await headStatus(incoming, port)) === 200)
    return refuse(incoming, answer, 412, 'PreconditionFailed');
  pass(incoming, answer, port, instead);
}

function refuse(incoming: IncomingMessage, answer: ServerResponse, status: number, code: string): void {
  incoming.resume();
  answer.writeHead(status, { ...CORS, 'content-type': 'application/xml', connection: 'close' });
  answer.end(
    incoming.method === 'HEAD'
      ? undefined
      : `<Error><Code>${code}</Code><Message>no: ${code}</Message></Error>`,
  );
}

async function headStatus(incoming: IncomingMessage, port: number): Promise<number> {
  const path = incoming.url?.split('?')[0] ?? '';
  const head = request({ host: '127.0.0.1', port, path, method: 'HEAD', agent: false }).end();
  const [response] = (await once(head, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

function pass(
  incoming: IncomingMessage,
  answer: ServerResponse,
  port: number,
  how: 'cut' | 'paged' | null,
): void {
  const { method, headers } = incoming;
  const url = how === 'paged' ? `${incoming.url}&max-keys=10` : incoming.url;
  const onward = request({ host: '127.0.0.1', port, path: url, method, headers, agent: false });
  onward.on('error', () => answer.destroy());
  onward.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, { ...response.headers, ...CORS });
    if (how === 'cut') response.once('data', (chunk) => answer.write(chunk, () => answer.destroy()));
    else response.pipe(answer);
  });
  answer.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
