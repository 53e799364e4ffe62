import type { Config } from '../../config/config.ts';
import { DomainError } from '../../core/errors.ts';

/** Which bucket, where, and with whose keys. */
export interface S3Settings {
  readonly bucket: string;
  /** Null: what the AWS environment says. */
  readonly region: string | null;
  /** Null: AWS. */
  readonly endpoint: string | null;
  /** The endpoint in signed URLs. */
  readonly publicEndpoint: string | null;
  readonly pathStyle: boolean;
  /** Null: the AWS environment's. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** Empty, or ending in a slash: stands before every key. */
  readonly keyPrefix: string;
  /** Signed uploads may only make an object, not replace one. */
  readonly conditionalUploads: boolean;
}

/** @throws DomainError `ConfigInvalid` without a bucket, or with half a pair of keys */
export function s3SettingsOf(config: Config): S3Settings {
  const { s3Bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (s3Bucket === null) throw missing('MILLRACE_S3_BUCKET', 'the name of a bucket');
  if (accessKeyId !== null && secretAccessKey === null)
    throw missing('MILLRACE_S3_SECRET_ACCESS_KEY', 'the secret of MILLRACE_S3_ACCESS_KEY_ID');
  if (accessKeyId === null && secretAccessKey !== null)
    throw missing('MILLRACE_S3_ACCESS_KEY_ID', 'the key of MILLRACE_S3_SECRET_ACCESS_KEY');
  const prefix = config.s3Prefix.replace(/^\/|\/$/g, '');
  return {
    bucket: s3Bucket,
    // Servers other than AWS mostly take any region, but the signature must name one.
    region: config.s3Region ?? (config.s3Endpoint === null ? null : 'us-east-1'),
    endpoint: config.s3Endpoint,
    publicEndpoint: config.s3PublicEndpoint ?? config.s3Endpoint,
    pathStyle: config.s3PathStyle,
    credentials: accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey },
    keyPrefix: prefix === '' ? '' : `${prefix}/`,
    conditionalUploads: config.s3ConditionalUploads,
  };
}

function missing(field: string, allowed: string): DomainError {
  return new DomainError('ConfigInvalid', `${field} is not set, and MILLRACE_STORAGE is s3`, {
    field,
    allowed,
  });
}
