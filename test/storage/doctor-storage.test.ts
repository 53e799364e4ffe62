import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkStorage } from '../../src/cli/doctor/storage.ts';
import { loadConfig } from '../../src/config/config.ts';
import { startTestS3, type TestS3 } from '../support/s3-server.ts';
import { makeTempDir } from '../support/temp-dir.ts';

let s3: TestS3;
beforeAll(async () => {
  s3 = await startTestS3();
});
afterAll(() => s3.close());

test('the doctor tries a folder and a bucket, and leaves nothing in them', async () => {
  const folder = join(await makeTempDir(), 'store');
  expect(await checkStorage(loadConfig({ MILLRACE_STORAGE_DIR: folder }))).toMatchObject({
    verdict: 'ok',
    message: `written, read and deleted in the folder ${folder}`,
  });
  expect(await checkStorage(loadConfig(s3.env))).toMatchObject({
    verdict: 'ok',
    message: `written, read and deleted in the bucket ${s3.bucket}`,
  });
  const changes = s3.requests.filter(({ method }) => method === 'PUT' || method === 'DELETE');
  expect(changes.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
});

test('the doctor says why a bucket is no good, and never a secret', async () => {
  const wrong = await checkStorage(loadConfig({ ...s3.env, MILLRACE_S3_SECRET_ACCESS_KEY: 'hunter2222' }));
  expect(wrong).toMatchObject({ verdict: 'fail', message: expect.stringContaining('SignatureDoesNotMatch') });
  expect(JSON.stringify(wrong)).not.toContain('hunter2222');
  const absent = await checkStorage(loadConfig({ ...s3.env, MILLRACE_S3_BUCKET: 'absent' }));
  expect(absent).toMatchObject({ verdict: 'fail', message: expect.stringContaining('NoSuchBucket') });
  const half = await checkStorage(loadConfig({ MILLRACE_STORAGE: 's3' }));
  expect(half).toMatchObject({ verdict: 'fail', message: expect.stringContaining('MILLRACE_S3_BUCKET') });
});
