import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSpeech } from '../../../src/cli/doctor/speech.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

/** A folder with the program, and one for its model. */
async function machine(): Promise<{
  readonly bin: string;
  readonly model: string;
  check(env?: object): ReturnType<typeof checkSpeech>;
}> {
  const [bin, model] = [await makeTempDir(), await makeTempDir()];
  return {
    ...{ bin, model },
    check: (env = {}) =>
      checkSpeech(
        loadConfig({ MILLRACE_JWT_SECRET: 'x'.repeat(32), POCKETSPHINX_MODEL_DIR: model, ...env }),
        bin,
      ),
  };
}

test('doctor says in a line of its own what transcribes calls, and which part of pocketsphinx is missing', async () => {
  const { bin, model, check } = await machine();
  expect(await check()).toMatchObject({
    verdict: 'warn',
    message: expect.stringContaining('nothing here recognises words'),
  });
  const program = join(bin, 'pocketsphinx_continuous');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  const found = await check();
  expect(found).toMatchObject({ verdict: 'warn' });
  expect(JSON.stringify(found)).toContain(
    `${program} is there, but of its model en-us/mdef, en-us.lm.bin, cmudict-en-us.dict is missing in ${model}`,
  );
  expect(JSON.stringify(found)).toContain('apt install pocketsphinx pocketsphinx-en-us');
  // Named, and not there: a failure and no warning.
  expect(await check({ MILLRACE_SPEECH_PROVIDER: 'pocketsphinx' })).toMatchObject({ verdict: 'fail' });
  await mkdir(join(model, 'en-us'));
  for (const file of ['en-us/mdef', 'en-us.lm.bin', 'cmudict-en-us.dict'])
    await writeFile(join(model, file), '');
  const complete = await check();
  expect(complete).toMatchObject({ verdict: 'ok' });
  expect(JSON.stringify(complete)).toContain(`${program} (en-us); US English, as a draft`);
  expect(await check({ MILLRACE_SPEECH_PROVIDER: 'segments' })).toMatchObject({ verdict: 'ok' });
  expect(JSON.stringify(await check({ SPEECHKIT_API_KEY: 'k' }))).toContain('speechkit (general)');
});
