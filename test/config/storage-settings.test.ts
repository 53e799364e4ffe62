import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { printConfig } from '../../src/config/print-config.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { s3SettingsOf } from '../../src/storage/s3/settings.ts';
import { makeTempDir } from '../support/temp-dir.ts';

const BUCKET = { MILLRACE_STORAGE: 's3', MILLRACE_S3_BUCKET: 'videos' };
const KEYS = { MILLRACE_S3_ACCESS_KEY_ID: 'KEYID', MILLRACE_S3_SECRET_ACCESS_KEY: 'hunter22' };

describe('the settings of storage', () => {
  test('name a folder by default, and a bucket on AWS with the keys of its environment where nothing else is said', async () => {
    expect(loadConfig({})).toMatchObject({ storage: 'local', s3Bucket: null });
    expect(s3SettingsOf(loadConfig(BUCKET))).toEqual({
      bucket: 'videos',
      region: null,
      endpoint: null,
      publicEndpoint: null,
      pathStyle: false,
      credentials: null,
      keyPrefix: '',
      conditionalUploads: true,
    });
  });

  test('name another server, its public address, keys and prefix', () => {
    const settings = s3SettingsOf(
      loadConfig({
        ...BUCKET,
        ...KEYS,
        MILLRACE_S3_ENDPOINT: 'http://minio:9000',
        MILLRACE_S3_PATH_STYLE: 'true',
        MILLRACE_S3_PREFIX: '/millrace/prod/',
      }),
    );
    expect(settings).toMatchObject({
      region: 'us-east-1',
      endpoint: 'http://minio:9000',
      publicEndpoint: 'http://minio:9000',
      pathStyle: true,
      credentials: { accessKeyId: 'KEYID', secretAccessKey: 'hunter22' },
      keyPrefix: 'millrace/prod/',
    });
    const away = { ...BUCKET, MILLRACE_S3_ENDPOINT: 'http://minio:9000' };
    expect(
      s3SettingsOf(loadConfig({ ...away, MILLRACE_S3_PUBLIC_ENDPOINT: 'https://files.test' })),
    ).toMatchObject({ endpoint: 'http://minio:9000', publicEndpoint: 'https://files.test' });
  });

  test.each([
    ['a bucket', { MILLRACE_STORAGE: 's3' }, 'MILLRACE_S3_BUCKET'],
    [
      'the secret of a key',
      { ...BUCKET, MILLRACE_S3_ACCESS_KEY_ID: 'KEYID' },
      'MILLRACE_S3_SECRET_ACCESS_KEY',
    ],
    [
      'the key of a secret',
      { ...BUCKET, MILLRACE_S3_SECRET_ACCESS_KEY: 'hunter22' },
      'MILLRACE_S3_ACCESS_KEY_ID',
    ],
  ])('are refused without %s, by the name of the variable', async (_what, env, field) => {
    const error = await openStorage(loadConfig(env)).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'ConfigInvalid', details: { field } });
    expect(error.message).not.toContain('hunter22');
  });

  test.each([
    ['MILLRACE_STORAGE', 'gcs'],
    ['MILLRACE_S3_ENDPOINT', 'minio:9000'],
    ['MILLRACE_S3_ENDPOINT', 'http://user:hunter22@minio'],
    ['MILLRACE_S3_PUBLIC_ENDPOINT', 'http://minio/?x=1'],
    ['MILLRACE_S3_PREFIX', 'a//b'],
    ['MILLRACE_S3_PREFIX', '../a'],
    ['MILLRACE_S3_BUCKET', 'a/b'],
  ])('do not take %s=%s', (variable, value) => {
    expect(() => loadConfig({ [variable]: value })).toThrow(variable);
  });

  test('are printed without the secret', () => {
    const printed = printConfig({ ...BUCKET, ...KEYS });
    expect(printed).toContain('MILLRACE_S3_SECRET_ACCESS_KEY=(set)');
    expect(printed).not.toContain('hunter22');
  });

  test('open a folder, and load no client of S3 for it', async () => {
    const folder = await makeTempDir();
    const { store, name } = await openStorage(loadConfig({ MILLRACE_STORAGE_DIR: folder }));
    expect(name).toBe(`the folder ${folder}`);
    expect(store.localPath).toBeTypeOf('function');
    expect(store.close).toBeUndefined();
  });
});
