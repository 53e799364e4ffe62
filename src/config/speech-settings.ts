import { choice, integer, optionalInteger, optionalText, text } from './settings.ts';

const KEY = /^\S+$/;
const ANY = /[\s\S]/;
const HTTP_RULE = /^https?:\/\/\S+$/;
const HTTP = 'an http:// or https:// URL';

/**
 * What turns the sound of calls into text, and what reads transcripts. Addresses here are the operator's and
 * may be private.
 */
export const SPEECH_SETTINGS = {
  speechProvider: choice(
    'MILLRACE_SPEECH_PROVIDER',
    'What transcribes calls. `auto`: SpeechKit with SPEECHKIT_API_KEY, else the endpoint of MILLRACE_SPEECH_URL, else MILLRACE_SPEECH_COMMAND, else pocketsphinx where it is installed, else `segments`: times and speakers without words. See calls.md.',
    'auto',
    ['auto', 'speechkit', 'openai', 'command', 'pocketsphinx', 'segments'],
  ),
  speechkitApiKey: optionalText(
    'SPEECHKIT_API_KEY',
    'API key of SpeechKit.',
    KEY,
    'text without spaces',
    true,
  ),
  speechkitFolderId: optionalText('SPEECHKIT_FOLDER_ID', 'Folder that SpeechKit charges.', ANY, 'any text'),
  speechkitVersion: choice('SPEECHKIT_VERSION', 'Version of its protocol.', 'v3', ['v2', 'v3']),
  speechkitModel: text('SPEECHKIT_MODEL', 'Model of SpeechKit.', 'general', /^\S+$/, 'a model’s name'),
  speechkitUrl: optionalText(
    'SPEECHKIT_URL',
    'Address of SpeechKit; by default that of its version.',
    HTTP_RULE,
    HTTP,
  ),
  speechkitOperationUrl: text(
    'SPEECHKIT_OPERATION_URL',
    'Address of the operations of SpeechKit.',
    'https://operation.api.cloud.yandex.net',
    HTTP_RULE,
    HTTP,
  ),
  speechkitAudioUrl: optionalText(
    'SPEECHKIT_AUDIO_URL',
    'Address of the bucket as SpeechKit reads it, such as https://storage.yandexcloud.net/my-bucket; v2 needs it, v3 is sent the sound itself without it.',
    HTTP_RULE,
    HTTP,
  ),
  speechkitPollIntervalMs: optionalInteger(
    'SPEECHKIT_POLL_INTERVAL_MS',
    'How often a transcript is asked for, in milliseconds; by default after 10 seconds and then less and less often, every 60 at last.',
    1_000,
    3_600_000,
  ),
  speechUnknownStart: choice(
    'MILLRACE_SPEECH_UNKNOWN_START',
    'What happens to a call when a worker was killed while it began the provider’s operation, so that nobody knows whether it has begun. `repeat`: the same start is sent again with the same Idempotency-Key, which a provider that knows such keys does not charge for again. `fail`: the call fails, until somebody retries its job.',
    'repeat',
    ['repeat', 'fail'],
  ),
  speechMinuteMicros: integer(
    'MILLRACE_SPEECH_MINUTE_MICROS',
    'Price of a minute of sound at the speech provider, in millionths of your currency; 0: calls show none.',
    0,
    0,
    1_000_000_000,
  ),
  speechUrl: optionalText(
    'MILLRACE_SPEECH_URL',
    'OpenAI-compatible transcription endpoint, with its version: https://api.openai.com/v1.',
    HTTP_RULE,
    HTTP,
  ),
  speechModel: text(
    'MILLRACE_SPEECH_MODEL',
    'Model of that endpoint.',
    'whisper-1',
    /^\S+$/,
    'a model’s name',
  ),
  speechApiKey: optionalText(
    'MILLRACE_SPEECH_API_KEY',
    'API key of that endpoint.',
    KEY,
    'text without spaces',
    true,
  ),
  speechCommand: optionalText(
    'MILLRACE_SPEECH_COMMAND',
    'Program that transcribes a WAV file and prints JSON, as a JSON list: ["/usr/bin/whisper-cli","-m","/models/ggml.bin","-oj","-of","-","{wav}"]. See calls.md for the forms that are read.',
    /^\[.*\]$/s,
    'a JSON list of texts, with {wav} among them',
  ),
  pocketsphinxPath: optionalText(
    'POCKETSPHINX_PATH',
    'pocketsphinx_continuous to use; otherwise that on PATH.',
    ANY,
    'a path',
  ),
  pocketsphinxModelDir: text(
    'POCKETSPHINX_MODEL_DIR',
    'Its model of US English, with the folder en-us and the files en-us.lm.bin and cmudict-en-us.dict.',
    '/usr/share/pocketsphinx/model/en-us',
    ANY,
    'a path',
  ),
  maxCallSeconds: integer(
    'MILLRACE_MAX_CALL_SECONDS',
    'Longest recording that is taken.',
    4 * 3600,
    1,
    86_400,
  ),
  callChatUrl: optionalText(
    'MILLRACE_CALL_CHAT_URL',
    'OpenAI-compatible chat endpoint that summarises calls, with its version; without it calls are analysed here alone.',
    HTTP_RULE,
    HTTP,
  ),
  callChatModel: text(
    'MILLRACE_CALL_CHAT_MODEL',
    'Model of that endpoint.',
    'gpt-4o-mini',
    /^\S+$/,
    'a model’s name',
  ),
  callChatApiKey: optionalText(
    'MILLRACE_CALL_CHAT_API_KEY',
    'API key of that endpoint.',
    KEY,
    'text without spaces',
    true,
  ),
  callChatInputMicros: integer(
    'MILLRACE_CALL_CHAT_INPUT_MICROS',
    'Price of a million tokens that it reads, in millionths of your currency; for the cost of analyses.',
    0,
    0,
    2_000_000_000,
  ),
  callChatOutputMicros: integer(
    'MILLRACE_CALL_CHAT_OUTPUT_MICROS',
    'The same of a million tokens that it writes.',
    0,
    0,
    2_000_000_000,
  ),
} as const;
