import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { cacheControlOf } from '../cache-control.ts';
import { dispositionOf } from '../content-disposition.ts';
import { contentTypeOfKey } from '../content-type.ts';
import { checkObjectKey } from '../object-key.ts';
import type { SignedGetOptions, SignedPutOptions, SignedUrl, UrlSigner } from '../url-signer.ts';
import { checkExpiry, urlTimes } from '../url-times.ts';
import { addressOf, createS3Client, type S3Place } from './client.ts';
import { asking } from './failures.ts';
import type { S3Settings } from './settings.ts';

/** AWS's limit for one request; more goes up in parts. */
const MAX_PUT_BYTES = 5 * 2 ** 30;

/**
 * URLs that lead to the bucket itself. What a signature of S3 cannot say (everything below a prefix) stays a
 * URL of ours, which the server answers with a redirect to `direct`.
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

  const get = async (
    key: string,
    { fileName, contentType, ...read }: SignedGetOptions,
  ): Promise<SignedUrl> => {
    const { startsAtSeconds, endsAtSeconds, expiresAt } = urlTimes(checkObjectKey(key), read, nowMs());
    const expiresInSeconds = Math.max(1, endsAtSeconds - startsAtSeconds);
    const command = new GetObjectCommand({
      ...addressOf(place, key),
      // A bucket knows of none of these. The life of the whole URL: what is left of it would be another
      // number each second.
      ResponseCacheControl: cacheControlOf(key, expiresInSeconds),
      // Nor does it protect browsers from the type that a client stored: no page and no image with scripts
      // comes from our URLs.
      ResponseContentType: contentType ?? contentTypeOfKey(key),
      ...(fileName !== undefined && { ResponseContentDisposition: dispositionOf(fileName) }),
    });
    const credentialsEndMs = await credentialsEndMsOf(client);
    const url = await asking(`sign ${JSON.stringify(key)}`, undefined, () =>
      getSignedUrl(client, command, {
        expiresIn: expiresInSeconds,
        signingDate: new Date(startsAtSeconds * 1000),
      }),
    );
    return {
      method: 'GET',
      url,
      headers: {},
      expiresAt: new Date(Math.min(expiresAt.getTime(), credentialsEndMs)),
    };
  };

  const put = async (key: string, options: SignedPutOptions): Promise<SignedUrl> => {
    // Always a type: without one in the signature an uploader could have the bucket serve a page with
    // scripts.
    const contentType = options.contentType ?? contentTypeOfKey(checkObjectKey(key));
    const command = new PutObjectCommand({
      ...addressOf(place, key),
      ContentType: contentType,
      ...(options.sizeBytes !== undefined && { ContentLength: options.sizeBytes }),
      ...(conditionalUploads && { IfNoneMatch: '*' }),
    });
    const expiresIn = checkExpiry(options.expiresInSeconds);
    // A signature's time has no fractions.
    const signedMs = Math.floor(nowMs() / 1000) * 1000;
    const credentialsEndMs = await credentialsEndMsOf(client);
    const url = await asking(`sign ${JSON.stringify(key)}`, undefined, () =>
      getSignedUrl(client, command, {
        expiresIn,
        signingDate: new Date(signedMs),
        signableHeaders: new Set(['content-type']),
      }),
    );
    const headers = { 'content-type': contentType, ...(conditionalUploads && { 'if-none-match': '*' }) };
    const expiresAt = new Date(Math.min(signedMs + expiresIn * 1000, credentialsEndMs));
    return { method: 'PUT', url, headers, expiresAt };
  };

  return {
    maxPutBytes: MAX_PUT_BYTES,
    get,
    put,
    direct: get,
    getBelow: own.getBelow,
    getPart: own.getPart,
    getTextTrack: own.getTextTrack,
    verify: own.verify,
  };
}

/** A URL that was signed with temporary credentials ends with them. */
async function credentialsEndMsOf(client: S3Client): Promise<number> {
  const { expiration } = await asking('sign a URL', undefined, () => client.config.credentials());
  return expiration?.getTime() ?? Number.POSITIVE_INFINITY;
}
