import {
  findPocketsphinx,
  findPocketsphinxProgram,
  missingModelFiles,
  openSpeechProvider,
  type SpeechConfig,
} from '../../../workers/tools/speech/open-provider.ts';
import { toError } from '../../core/errors.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const FIX =
  'Install pocketsphinx (Debian: apt install pocketsphinx pocketsphinx-en-us), or set SPEECHKIT_API_KEY, MILLRACE_SPEECH_URL or MILLRACE_SPEECH_COMMAND.';

/**
 * What transcribes calls. Without it they get times and speakers alone, which is a warning; one that is named
 * must be there.
 */
export async function checkSpeech(config: SpeechConfig, searchPath: string | null): Promise<Finding> {
  try {
    const provider = await openSpeechProvider(config, searchPath);
    if (provider === null && config.speechProvider === 'segments')
      return ok('speech', 'segments: calls get times and speakers without words, as configured');
    if (provider === null)
      return warn(
        'speech',
        `${await whyNone(config, searchPath)}; calls get times and speakers without words`,
        FIX,
      );
    const path = provider.name === 'pocketsphinx' ? await findPocketsphinx(config, searchPath) : null;
    const draft = provider.isDraft ? '; US English, as a draft' : '';
    return ok('speech', `${path ?? provider.name} (${provider.model ?? 'no model'})${draft}`);
  } catch (error) {
    return fail('speech', toError(error).message, FIX);
  }
}

async function whyNone(
  { pocketsphinxPath, pocketsphinxModelDir }: SpeechConfig,
  searchPath: string | null,
): Promise<string> {
  const program = await findPocketsphinxProgram(pocketsphinxPath, searchPath);
  if (program === null) return 'nothing here recognises words';
  const missing = await missingModelFiles(pocketsphinxModelDir);
  return `${program} is there, but of its model ${missing.join(', ')} is missing in ${pocketsphinxModelDir}`;
}
