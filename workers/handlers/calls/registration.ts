import { analyze } from '../../../src/domains/calls/definitions/analyze.ts';
import { extractAudio } from '../../../src/domains/calls/definitions/extract-audio.ts';
import { transcribePoll } from '../../../src/domains/calls/definitions/transcribe-poll.ts';
import { transcribeStart } from '../../../src/domains/calls/definitions/transcribe-start.ts';
import { createCallStore } from '../../../src/domains/calls/stores/call-store.ts';
import { Outgoing } from '../../../src/outgoing/outgoing.ts';
import type { DomainHandlers } from '../../domain-handlers.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { Provide } from '../../provide.ts';
import { register } from '../../registry.ts';
import { openSpeechProvider } from '../../tools/speech/open-provider.ts';
import type { SpeechProvider } from '../../tools/speech/provider.ts';
import { type ChatReader, createChatReader } from './chat-reader.ts';
import type { AnalyzeOwn, ExtractOwn, TranscribeOwn } from './own.ts';

/** The calls system's four stages; each loads its modules with its first job. */
export const registrations: DomainHandlers = (config) => {
  const limits = { maxCallSeconds: config.maxCallSeconds, maxSizeBytes: config.maxUploadBytes };
  return [
    register(
      extractAudio,
      async () => (await import('./extract-audio.ts')).createExtractAudio(limits),
      provideExtract,
    ),
    register(
      transcribeStart,
      async () => (await import('./transcribe-start.ts')).transcribeStartHandler,
      provideTranscribe,
    ),
    register(
      transcribePoll,
      async () => (await import('./transcribe-poll.ts')).transcribePollHandler,
      provideTranscribe,
    ),
    register(analyze, async () => (await import('./analyze.ts')).analyzeHandler, provideAnalyze),
  ];
};

const provideExtract: Provide<ExtractOwn> = ({ config, database, media }: EngineParts) => {
  let outgoing: Outgoing | undefined;
  return ({ job, lease }) => ({
    media,
    outgoing: () => (outgoing ??= new Outgoing(config)),
    call: createCallStore(database, job, lease),
  });
};

const provideTranscribe: Provide<TranscribeOwn> = ({ config, database, media }: EngineParts) => {
  let speech: Promise<SpeechProvider | null> | undefined;
  const open = () => {
    speech ??= openSpeechProvider(config, config.searchPath);
    // What was missing may be there at the next try.
    speech.catch(() => {
      speech = undefined;
    });
    return speech;
  };
  return ({ job, lease }) => ({
    media,
    speech: open,
    pollIntervalMs: config.speechkitPollIntervalMs,
    onUnknownStart: config.speechUnknownStart,
    microsPerMinute: config.speechMinuteMicros,
    nowMs: Date.now,
    call: createCallStore(database, job, lease),
  });
};

const provideAnalyze: Provide<AnalyzeOwn> = ({ config, database }: EngineParts) => {
  const { callChatUrl: url } = config;
  const chat: ChatReader | null =
    url === null
      ? null
      : createChatReader({
          url,
          model: config.callChatModel,
          apiKey: config.callChatApiKey,
          inputMicros: config.callChatInputMicros,
          outputMicros: config.callChatOutputMicros,
        });
  return ({ job, lease }) => ({ chat, call: createCallStore(database, job, lease) });
};
