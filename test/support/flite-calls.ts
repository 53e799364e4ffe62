import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'vitest';
import { runProcess } from '../../workers/tools/process.ts';
import { programsIn } from '../../workers/tools/search-path.ts';
import { findPocketsphinx } from '../../workers/tools/speech/open-provider.ts';
import { makeMedia } from './media.ts';

/** Where flite is; skips the test without it, and fails it in CI. */
export async function flitePath(context: TestContext): Promise<string> {
  for await (const path of programsIn(process.env['PATH'] ?? null, 'flite')) return path;
  return unavailable(context, 'flite is not installed (Debian: flite)');
}

/** The same of pocketsphinx and its model. */
export async function needPocketsphinx(context: TestContext): Promise<void> {
  const config = { pocketsphinxPath: null, pocketsphinxModelDir: '/usr/share/pocketsphinx/model/en-us' };
  if ((await findPocketsphinx(config, process.env['PATH'] ?? null)) === null)
    unavailable(context, 'pocketsphinx is not installed (Debian: pocketsphinx pocketsphinx-en-us)');
}

const READINGS = '/usr/share/pocketsphinx/test/data/librivox';

/**
 * Recordings of a person who reads a novel aloud, with the words: Debian's test data of pocketsphinx. Skips
 * the test without them, and fails it in CI.
 */
export async function readAloud(
  context: TestContext,
): Promise<readonly { readonly path: string; readonly said: string }[]> {
  const text = await readFile(join(READINGS, 'transcription'), 'utf8').catch(() =>
    unavailable(context, 'there are no recordings (Debian: pocketsphinx-testdata)'),
  );
  return [...text.matchAll(/^<s> (.+) <\/s> \((.+)\)$/gm)].map(([, said, name]) => ({
    path: join(READINGS, `${name}.wav`),
    said: said as string,
  }));
}

function unavailable(context: TestContext, reason: string): never {
  if (process.env['CI'] !== undefined) throw new Error(`${reason}; in CI it must be there`);
  context.skip(reason);
}

/** A WAV in which flite says a text. */
export async function say(
  flite: string,
  directory: string,
  name: string,
  text: string,
  voice = 'slt',
): Promise<string> {
  const path = join(directory, name);
  const result = await runProcess({
    file: flite,
    args: ['-voice', voice, '-t', text, '-o', path],
    cwd: directory,
    timeoutMs: 300_000,
  });
  if (result.end.how !== 'exited' || result.end.exitCode !== 0) throw new Error(`flite: ${result.stderr}`);
  return path;
}

/** Two voices, each on a channel of its own, the second from `delaySeconds` on. */
export async function stereoCall(
  directory: string,
  left: string,
  right: string,
  delaySeconds: number,
  name = 'stereo.wav',
): Promise<string> {
  return await makeMedia(directory, [
    ...['-i', left, '-i', right],
    ...[
      '-filter_complex',
      `[1:a]aresample=16000,aformat=channel_layouts=mono,adelay=${Math.round(delaySeconds * 1000)}[b];[0:a]aresample=16000,aformat=channel_layouts=mono,apad=pad_len=${16_000 * (delaySeconds + 8)}[a];[a][b]amerge=inputs=2[o]`,
    ],
    ...['-map', '[o]', '-ac', '2', name],
  ]);
}

/** Puts a file where a tenant's inbox is. @returns its key */
export async function intoInbox(
  storageDir: string,
  tenantId: string,
  path: string,
  name: string,
): Promise<string> {
  const key = `call-inbox/${tenantId}/${name}`;
  await mkdir(dirname(join(storageDir, key)), { recursive: true });
  await copyFile(path, join(storageDir, key));
  return key;
}

/**
 * Words that differ between two texts, over the words of the first: insertions, deletions and substitutions.
 */
export function wordErrorRate(said: string, heard: string): number {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  const [a, b] = [wordsOf(said), wordsOf(heard)];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  a.forEach((word, i) => {
    const next = [i + 1];
    b.forEach((other, j) => {
      next.push(
        Math.min(
          (row[j] as number) + (word === other ? 0 : 1),
          (row[j + 1] as number) + 1,
          (next[j] as number) + 1,
        ),
      );
    });
    row = next;
  });
  return (row[b.length] as number) / Math.max(1, a.length);
}
