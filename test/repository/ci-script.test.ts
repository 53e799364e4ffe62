import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plant } from './planted.ts';

/** Runs the real .ci/run with an `npm` on PATH that does what `script` says for each of its calls. */
async function runCi(script: string) {
  await using planted = await plant(['.ci/run'], {
    // Every Debian package is there already, so that the machine stays as it is.
    'bin/dpkg-query': '#!/bin/sh\necho installed\n',
    'bin/npm': `#!/bin/sh\ncase "$*" in\n${script}\n*) exit 0 ;;\nesac\n`,
  });
  const bin = join(planted.folder, 'bin');
  for (const name of ['npm', 'dpkg-query']) await chmod(join(bin, name), 0o755);
  const run = spawnSync('bash', ['-c', 'PATH="$PWD/bin:$PATH" exec bash .ci/run'], {
    cwd: planted.folder,
    encoding: 'utf8',
  });
  return {
    status: run.status,
    lastLine: run.stdout.trimEnd().split('\n').at(-1),
    output: run.stdout + run.stderr,
  };
}

describe('.ci/run', () => {
  it('ends with the counts of the tests when everything passed', async () => {
    const { status, lastLine } = await runCi("test) echo '12 passed, 0 failed, 2 skipped' ;;");
    expect(lastLine).toBe('12 passed, 0 failed, 2 skipped');
    expect(status).toBe(0);
  });

  it('runs the checks although a test failed, and fails', async () => {
    const { status, lastLine, output } = await runCi(
      "test) echo '11 passed, 1 failed'; exit 1 ;;\n'run check') echo 'the checks ran' ;;",
    );
    expect(lastLine).toBe('11 passed, 1 failed');
    expect(output).toContain('the checks ran');
    expect(status).not.toBe(0);
  });

  it.each([
    ['a check fails', "test) echo '5 passed, 0 failed' ;;\n'run check') exit 1 ;;", '5 passed, 1 failed'],
    [
      'the server is not conformant',
      "test) echo '5 passed, 0 failed' ;;\n'run conformance') exit 1 ;;",
      '5 passed, 1 failed',
    ],
    [
      'the tests end badly without a failed test',
      "test) echo '5 passed, 0 failed'; exit 1 ;;",
      '5 passed, 1 failed',
    ],
    ['the tests print no counts', 'test) exit 0 ;;', '0 passed, 1 failed'],
    ['the installation fails', 'ci*) exit 1 ;;', '0 passed, 1 failed'],
  ])('counts a failure when %s', async (_, script, expected) => {
    const { status, lastLine } = await runCi(script);
    expect(lastLine).toBe(expected);
    expect(status).not.toBe(0);
  });
});
