import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The access keys that the test's S3 server knows. */
export const S3_KEYS = { accessKeyId: 'TESTKEY', secretAccessKey: 'test/secret+key' } as const;

interface Signed {
  readonly credential: string;
  readonly names: readonly string[];
  readonly signature: string;
  readonly time: string;
  readonly payloadHash: string;
}

/**
 * What a request's AWS signature (version 4) is refused with, or null when it is good: computed here from the
 * specification alone, since the S3 servers of npm believe any signature. Covers headers and presigned URLs.
 */
export function signatureProblem(request: IncomingMessage, nowMs: number = Date.now()): string | null {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const parameters = new URLSearchParams(query);
  const presigned = parameters.has('X-Amz-Signature');
  const signed = presigned ? signedByQuery(parameters) : signedByHeaders(request);
  if (signed === null) return 'AccessDenied';
  const [accessKeyId, ...scope] = signed.credential.split('/');
  if (accessKeyId !== S3_KEYS.accessKeyId) return 'InvalidAccessKeyId';
  if (presigned && expiresMs(parameters) <= nowMs) return 'AccessDenied';
  const loose = Object.keys(request.headers).find(
    (name) => name.startsWith('x-amz-') && !signed.names.includes(name),
  );
  if (loose !== undefined || !signed.names.includes('host')) return 'AccessDenied';

  const canonical = [
    request.method,
    path,
    query
      .split('&')
      .filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='))
      .map((part) => (part.includes('=') ? part : `${part}=`))
      .toSorted((a, b) => (a < b ? -1 : 1))
      .join('&'),
    ...signed.names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signed.names.join(';'),
    signed.payloadHash,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', signed.time, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${S3_KEYS.secretAccessKey}`,
  );
  const right = createHmac('sha256', key).update(toSign).digest('hex');
  return right === signed.signature ? null : 'SignatureDoesNotMatch';
}

function signedByQuery(parameters: URLSearchParams): Signed {
  const get = (name: string): string => parameters.get(name) ?? '';
  return {
    credential: get('X-Amz-Credential'),
    names: get('X-Amz-SignedHeaders').split(';'),
    signature: get('X-Amz-Signature'),
    time: get('X-Amz-Date'),
    payloadHash: 'UNSIGNED-PAYLOAD',
  };
}

function signedByHeaders({ headers }: IncomingMessage): Signed | null {
  const match = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(
    headers.authorization ?? '',
  );
  const [, credential, names, signature] = match ?? [];
  if (credential === undefined || names === undefined || signature === undefined) return null;
  return {
    credential,
    names: names.split(';'),
    signature,
    time: String(headers['x-amz-date']),
    payloadHash: String(headers['x-amz-content-sha256']),
  };
}

function expiresMs(parameters: URLSearchParams): number {
  const time = (parameters.get('X-Amz-Date') ?? '').replace(
    /^(....)(..)(..)T(..)(..)(..)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  return Date.parse(time) + Number(parameters.get('X-Amz-Expires')) * 1000;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
