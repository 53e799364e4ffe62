import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../src/config/config.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import { programsIn } from '../search-path.ts';
import { createOpenaiSpeech } from './openai-speech.ts';
import { createPocketsphinx } from './pocketsphinx.ts';
import type { SpeechProvider } from './provider.ts';
import { createSpeechCommand } from './speech-command.ts';
import { createSpeechkitV2 } from './speechkit-v2.ts';
import { createSpeechkitV3 } from './speechkit-v3.ts';

export type SpeechConfig = Pick<
  Config,
  | 'speechProvider'
  | 'speechkitApiKey'
  | 'speechkitFolderId'
  | 'speechkitVersion'
  | 'speechkitModel'
  | 'speechkitUrl'
  | 'speechkitOperationUrl'
  | 'speechkitAudioUrl'
  | 'speechUrl'
  | 'speechModel'
  | 'speechApiKey'
  | 'speechCommand'
  | 'pocketsphinxPath'
  | 'pocketsphinxModelDir'
>;

/**
 * What transcribes on this worker, as configured; null where nothing recognises words, so that there are
 * times and speakers alone.
 * @param searchPath folders to search, in the form of PATH
 * @throws DomainError `ToolMissing` for one that is named and not there
 */
export async function openSpeechProvider(
  config: SpeechConfig,
  searchPath: string | null,
): Promise<SpeechProvider | null> {
  const { speechProvider: name } = config;
  const isAuto = name === 'auto';
  if (name === 'segments') return null;
  if (name === 'speechkit' || (isAuto && config.speechkitApiKey !== null)) return speechkit(config);
  if (name === 'openai' || (isAuto && config.speechUrl !== null)) {
    if (config.speechUrl === null) throw missing('MILLRACE_SPEECH_URL', 'the address of the endpoint');
    return createOpenaiSpeech({
      url: config.speechUrl,
      model: config.speechModel,
      apiKey: config.speechApiKey,
    });
  }
  if (name === 'command' || (isAuto && config.speechCommand !== null))
    return createSpeechCommand(argvOf(config.speechCommand));
  const path = await findPocketsphinx(config, searchPath);
  if (path !== null) return createPocketsphinx({ path, modelDir: config.pocketsphinxModelDir });
  if (isAuto) return null;
  throw missing(
    'POCKETSPHINX_PATH',
    'pocketsphinx_continuous in PATH and its model in POCKETSPHINX_MODEL_DIR (Debian: pocketsphinx, pocketsphinx-en-us)',
  );
}

const MODEL_FILES = ['en-us/mdef', 'en-us.lm.bin', 'cmudict-en-us.dict'];

/** Files of its model that are not where it should be; none where all are there. */
export async function missingModelFiles(modelDir: string): Promise<readonly string[]> {
  const isMissing = await Promise.all(
    MODEL_FILES.map(async (file) => !(await isThere(join(modelDir, file), constants.R_OK))),
  );
  return MODEL_FILES.filter((_file, index) => isMissing[index]);
}

/** The program, with its model or without; null where there is none. */
export async function findPocketsphinxProgram(
  pocketsphinxPath: string | null,
  searchPath: string | null,
): Promise<string | null> {
  if (pocketsphinxPath !== null)
    return (await isThere(pocketsphinxPath, constants.X_OK)) ? pocketsphinxPath : null;
  for await (const path of programsIn(searchPath, 'pocketsphinx_continuous')) return path;
  return null;
}

/** Where pocketsphinx is; null without it or its model. */
export async function findPocketsphinx(
  { pocketsphinxPath, pocketsphinxModelDir }: Pick<Config, 'pocketsphinxPath' | 'pocketsphinxModelDir'>,
  searchPath: string | null,
): Promise<string | null> {
  if ((await missingModelFiles(pocketsphinxModelDir)).length > 0) return null;
  return await findPocketsphinxProgram(pocketsphinxPath, searchPath);
}

function speechkit(config: SpeechConfig): SpeechProvider {
  if (config.speechkitApiKey === null) throw missing('SPEECHKIT_API_KEY', 'an API key');
  const options = {
    apiKey: config.speechkitApiKey,
    folderId: config.speechkitFolderId,
    model: config.speechkitModel,
    url: config.speechkitUrl?.replace(/\/$/, '') ?? null,
    operationUrl: config.speechkitOperationUrl.replace(/\/$/, ''),
    audioUrl: config.speechkitAudioUrl?.replace(/\/$/, '') ?? null,
  };
  return config.speechkitVersion === 'v2' ? createSpeechkitV2(options) : createSpeechkitV3(options);
}

function argvOf(command: string | null): readonly string[] {
  const allowed = 'a JSON list of texts, with {wav} among them';
  let argv: unknown;
  try {
    argv = parseJson(command ?? '');
  } catch {
    throw missing('MILLRACE_SPEECH_COMMAND', allowed);
  }
  const isList = Array.isArray(argv) && argv.length > 1 && argv.every((part) => typeof part === 'string');
  if (!isList || !(argv as string[]).some((part) => part.includes('{wav}')))
    throw missing('MILLRACE_SPEECH_COMMAND', allowed);
  return argv as string[];
}

async function isThere(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

function missing(field: string, allowed: string): DomainError {
  return new DomainError(
    'ToolMissing',
    `${field} does not name a provider that transcribes; allowed: ${allowed}.`,
    {
      field,
      allowed,
    },
  );
}
