import { expect, it } from 'vitest';
import { classifyError } from '../../src/db/retryable.ts';
import { startTestApi } from '../support/api.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

it('a file store whose disk is full answers StorageUnavailable, also to an upload in pieces, and the database counts as there', async (context) => {
  const disk = await mountSmallDisk('1m');
  if (disk === null) return context.skip('mounting a small disk needs root');
  const api = await startTestApi({ env: { MILLRACE_STORAGE_DIR: disk.path } });
  try {
    const token = await api.token(await api.makeTenant(), 'tenant_admin');
    const { data } = await api.query(
      token,
      `mutation { createVideo(input: { title: "big" }) { ... on CreateVideoPayload { upload { url } resumableUpload { url } } } }`,
    );
    const { upload, resumableUpload } = data.createVideo;
    const big = Buffer.alloc(3_000_000, 1);
    const put = await fetch(upload.url, { method: 'PUT', body: big, headers: { connection: 'close' } });
    expect({ status: put.status, body: await put.json() }).toMatchObject({
      status: 503,
      body: { error: { code: 'StorageUnavailable', message: expect.stringContaining('disk is full') } },
    });
    const tus = { 'tus-resumable': '1.0.0', connection: 'close' };
    const begun = await fetch(resumableUpload.url, {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(big.length) },
    });
    expect(begun.status).toBe(201);
    const piece = await fetch(new URL(begun.headers.get('location') ?? '', resumableUpload.url), {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: big,
    });
    expect(piece.status).toBe(503);
    expect(await piece.text()).toContain('disk is full');
    const ready = await fetch(`${api.url}/health/ready`, { headers: { connection: 'close' } });
    expect(await ready.json()).toMatchObject({ database: 'ok' });
  } finally {
    await api.close();
    await disk.remove();
  }
});

it.each(['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EROFS'])('%s of a file is no lost database', (code) => {
  for (const syscall of ['write', 'read', 'open', 'fsync'])
    expect(
      classifyError(Object.assign(new Error(`${code}: it fails, ${syscall}`), { code, syscall, errno: -1 })),
    ).toBe('fatal');
});

it.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENETDOWN'])('%s of a socket is one', (code) => {
  expect(classifyError(Object.assign(new Error(`read ${code}`), { code, syscall: 'read', errno: -1 }))).toBe(
    'reconnect',
  );
});
