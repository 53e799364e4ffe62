import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './settings.ts';

/** A bucket, and the place in it where our objects are. */
export interface S3Place {
  readonly client: S3Client;
  readonly bucket: string;
  /** Empty, or ending in a slash. */
  readonly keyPrefix: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that says nothing for so long will not; an upload's last part may make it think for a while. */
const SILENCE_TIMEOUT_MS = 60_000;

/**
 * A client for the bucket at `endpoint`. It connects at its first request, and asks for credentials only
 * then.
 */
export function createS3Client(settings: S3Settings, endpoint: string | null): S3Client {
  return new S3Client({
    ...(settings.region !== null && { region: settings.region }),
    ...(endpoint !== null && { endpoint }),
    ...(settings.credentials !== null && { credentials: settings.credentials }),
    forcePathStyle: settings.pathStyle,
    // The default adds CRC32 trailers to every put, which many servers other than AWS refuse, and the
    // checksum of an empty body to presigned ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
  });
}

/** Bucket and key as requests name them. */
export function addressOf({ bucket, keyPrefix }: S3Place, key: string): { Bucket: string; Key: string } {
  return { Bucket: bucket, Key: keyPrefix + key };
}
