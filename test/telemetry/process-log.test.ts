import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../src/telemetry/log.ts', import.meta.url).href;

/** The lines that a process writes to its log. */
function logged(code: string): Record<string, unknown>[] {
  const script = `
    const { createLogger } = await import(${JSON.stringify(MODULE)});
    const log = createLogger({ logLevel: 'info', logFormat: 'json' }, 'worker');
    ${code}`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('no secret reaches the process log, by whatever way it is logged', () => {
  const lines = logged(`
    const url = 'postgres://app:s3cr3t@db:5432/x';
    log.info({ data: { payload: { a: { b: { c: { password: 's3cr3t', access_token: 's3cr3t', kept: 'kept' } } } } } }, 'nested');
    log.error({ err: new Error('cannot reach ' + url, { cause: new Error(url) }) }, 'failed');
    log.error(new Error(url));
    log.error({ err: new Error(url) });
    log.warn('away: %s', url);
    log.child({ headers: { authorization: 's3cr3t' } }).info({ circle: (() => { const c = {}; c.c = c; return c; })() }, url);
    log.info({ trap: { toJSON() { throw new Error('no'); } } }, 'goes on');
  `);
  expect(JSON.stringify(lines)).not.toContain('s3cr3t');
  expect(lines.map(({ msg }) => msg)).toEqual([
    'nested',
    'failed',
    'postgres://app:•••@db:5432/x',
    'postgres://app:•••@db:5432/x',
    'away: postgres://app:•••@db:5432/x',
    'postgres://app:•••@db:5432/x',
    'goes on',
  ]);
  expect(lines[0]).toMatchObject({
    component: 'worker',
    data: { payload: { a: { b: { c: { password: '•••', access_token: '•••', kept: 'kept' } } } } },
  });
  expect(lines[1]).toMatchObject({
    err: {
      type: 'Error',
      message: 'cannot reach postgres://app:•••@db:5432/x',
      stack: expect.stringContaining('at '),
    },
  });
  expect(lines[5]).toMatchObject({ headers: { authorization: '•••' } });
});
