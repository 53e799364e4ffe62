import { choice, flag, optionalText, text } from './settings.ts';

const ENDPOINT_RULE = /^https?:\/\/[^\s/@]+(\/[^\s?#@]*)?$/;
const ENDPOINT = 'an http:// or https:// URL without user, query and fragment';
/** Both ends may have slashes; each part is a part of an object key. */
const PREFIX_RULE = /^\/?([A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?)?$/;

/** Where objects are kept; see docs/storage.md. */
export const STORAGE_SETTINGS = {
  storage: choice(
    'MILLRACE_STORAGE',
    'Where videos and what is made of them are kept: a folder (`local`) or a bucket (`s3`); see storage.md.',
    'local',
    ['local', 's3'],
  ),
  storageDir: optionalText(
    'MILLRACE_STORAGE_DIR',
    'Folder of the local object store; <data dir>/storage by default.',
    /[\s\S]/,
    'a path',
  ),
  s3Bucket: optionalText(
    'MILLRACE_S3_BUCKET',
    'The bucket; required with `s3`.',
    /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,254}$/,
    'the name of a bucket',
  ),
  s3Region: optionalText(
    'MILLRACE_S3_REGION',
    'Its region. By default that of the AWS environment, or us-east-1 where an endpoint is set.',
    /^[a-z0-9-]{1,64}$/,
    'the name of a region, such as eu-central-1',
  ),
  s3Endpoint: optionalText(
    'MILLRACE_S3_ENDPOINT',
    'Address of an S3 server other than AWS.',
    ENDPOINT_RULE,
    ENDPOINT,
  ),
  s3PublicEndpoint: optionalText(
    'MILLRACE_S3_PUBLIC_ENDPOINT',
    'Address under which clients reach that server, where it is another one; used in signed URLs.',
    ENDPOINT_RULE,
    ENDPOINT,
  ),
  s3PathStyle: flag(
    'MILLRACE_S3_PATH_STYLE',
    'The bucket stands in the path of URLs and not in the host name; most servers other than AWS want that.',
    false,
  ),
  // No secret: it stands in every signed URL.
  s3AccessKeyId: optionalText(
    'MILLRACE_S3_ACCESS_KEY_ID',
    'Access key. Without one the AWS environment is asked: variables, profile, or the role of the machine.',
    /^[^\s/]+$/,
    'text without spaces and slashes',
  ),
  s3SecretAccessKey: optionalText(
    'MILLRACE_S3_SECRET_ACCESS_KEY',
    'Its secret, at least 8 characters.',
    /^\S{8,}$/,
    'at least 8 characters without spaces',
    true,
  ),
  s3Prefix: text(
    'MILLRACE_S3_PREFIX',
    'What the keys of all objects begin with, so that several installations may share a bucket.',
    '',
    PREFIX_RULE,
    'parts of A-Z a-z 0-9 . _ - with slashes between them',
  ),
  s3ConditionalUploads: flag(
    'MILLRACE_S3_CONDITIONAL_UPLOADS',
    'Signed uploads carry `If-None-Match: *`, so that none can replace a file that is there. Off for servers that refuse the header.',
    true,
  ),
} as const;
