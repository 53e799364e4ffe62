import { defineDomain } from '../domain.ts';
import { CALL_ARTIFACTS } from './artifacts.ts';
import { analyze } from './definitions/analyze.ts';
import { extractAudio } from './definitions/extract-audio.ts';
import { transcribePoll } from './definitions/transcribe-poll.ts';
import { transcribeStart } from './definitions/transcribe-start.ts';
import { CALL_TABLES } from './feed/call-list.ts';
import { callPipeline } from './pipeline/pipeline.ts';

/** Calls: from a recording to an analysed transcript. */
export const calls = defineDomain({
  name: 'calls',
  definitions: [extractAudio, transcribeStart, transcribePoll, analyze],
  artifacts: CALL_ARTIFACTS,
  pipelines: [callPipeline],
  feedTables: CALL_TABLES,
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
});

export type { SpokenWord, Turn } from './transcript.ts';
