import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { contentTypeOfKey } from '../content-type.ts';
import { checkObjectKey } from '../object-key.ts';
import { checkExpiry, type SignedPutOptions, type SignedUrl, type UrlSigner } from '../url-signer.ts';
import { addressOf, createS3Client, type S3Place } from './client.ts';
import { asking } from './failures.ts';
import type { S3Settings } from './settings.ts';

/** AWS's limit for one request; more goes up in parts. */
const MAX_PUT_BYTES = 5 * 2 ** 30;

/**
 * URLs that lead to the bucket itself. What a signature of S3 cannot say (everything below a prefix) stays a URL of ours, which
 * the server answers with a redirect to `direct`.
 * @param own the signer of our own URLs
 * @param nowMs milliseconds since 1970
 */
export function createS3Urls(
  settings: S3Settings,
  own: UrlSigner,
  nowMs: () => number = Date.now,
): UrlSigner {
  const { bucket, keyPrefix, conditionalUploads } = settings;
  const client = createS3Client(settings, settings.publicEndpoint);
  const place: S3Place = { client, bucket, keyPrefix };

  const get = async (key: string, expiresInSeconds: number): Promise<SignedUrl> => {
    const command = new GetObjectCommand(addressOf(place, checkObjectKey(key)));
    const times = await timesOf(client, checkExpiry(expiresInSeconds), nowMs);
    const url = await asking(`sign ${JSON.stringify(key)}`, undefined, () =>
      getSignedUrl(client, command, times.options),
    );
    return { method: 'GET', url, headers: {}, expiresAt: times.expiresAt };
  };

  const put = async (key: string, options: SignedPutOptions): Promise<SignedUrl> => {
    // Always a type: without one in the signature an uploader could have the bucket serve a page with scripts.
    const contentType = options.contentType ?? contentTypeOfKey(checkObjectKey(key));
    const command = new PutObjectCommand({
      ...addressOf(place, key),
      ContentType: contentType,
      ...(options.sizeBytes !== undefined && { ContentLength: options.sizeBytes }),
      ...(conditionalUploads && { IfNoneMatch: '*' }),
    });
    const times = await timesOf(client, checkExpiry(options.expiresInSeconds), nowMs);
    const url = await asking(`sign ${JSON.stringify(key)}`, undefined, () =>
      getSignedUrl(client, command, { ...times.options, signableHeaders: new Set(['content-type']) }),
    );
    const headers = { 'content-type': contentType, ...(conditionalUploads && { 'if-none-match': '*' }) };
    return { method: 'PUT', url, headers, expiresAt: times.expiresAt };
  };

  return {
    maxPutBytes: MAX_PUT_BYTES,
    get,
    put,
    direct: get,
    getBelow: own.getBelow,
    getPart: own.getPart,
    verify: own.verify,
  };
}

/** A URL that was signed with temporary credentials ends with them. */
async function timesOf(client: S3Client, expiresInSeconds: number, nowMs: () => number) {
  const { expiration } = await asking('sign a URL', undefined, () => client.config.credentials());
  // A signature's time has no fractions.
  const signedMs = Math.floor(nowMs() / 1000) * 1000;
  const expiresMs = Math.min(
    signedMs + expiresInSeconds * 1000,
    expiration?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  return {
    options: { expiresIn: expiresInSeconds, signingDate: new Date(signedMs) },
    expiresAt: new Date(expiresMs),
  };
}
