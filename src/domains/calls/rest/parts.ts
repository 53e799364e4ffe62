import type { Static } from 'typebox';
import { DomainError } from '../../../core/errors.ts';
import type { CallTurnRow } from '../../../db/prisma.ts';
import { lifeOfPlayed } from '../../../jobs/url-life.ts';
import { snakeCase } from '../../../rest/field-names.ts';
import { defineRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { timeText } from '../../../rest/shown-job.ts';
import { fileNameOf } from '../../../storage/content-disposition.ts';
import { ANALYSIS_VERSION } from '../analysis/analysis.ts';
import { analysisLoader, artifactsOfCallLoader, transcriptLoader } from '../graphql/loaders.ts';
import type { TranscriptWord } from '../transcript.ts';
import { findCallTurns, readCall } from '../use-cases/find-calls.ts';
import { foundCall } from './found-call.ts';
import { AnalysisSchema, ArtifactSchema, TranscriptSchema } from './schemas.ts';

const PARAMS = Type.Object({ call_id: Type.Uuid({ description: 'The call’s id.' }) });
const MAX_TURNS = 500;

function notYet(what: string, callId: string): DomainError {
  return new DomainError('NotFound', `Call ${callId} has no ${what} yet.`, { field: 'call_id' });
}

export const transcript = defineRoute({
  method: 'GET',
  path: '/calls/:call_id/transcript',
  operationId: 'getCallTranscript',
  tag: 'Calls',
  summary: 'Read what was said, with speakers and times',
  need: findCallTurns.need,
  params: PARAMS,
  query: Type.Object(
    {
      from: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Position of the first turn; 0 by default.' }),
      ),
      count: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_TURNS, description: 'How many turns; 100 by default.' }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: TranscriptSchema,
  errors: ['NotFound', 'InvalidArgument'],
  example: { params: { call_id: '{call_id}' }, answer: {} },
  run: async (context, { params, query }) => {
    const { operation, caller } = context;
    const call = await foundCall(context, params.call_id);
    const row = await operation.loader(transcriptLoader).load(call.id);
    if (row === null) throw notYet('transcript', call.id);
    const [from, count] = [query.from ?? 0, query.count ?? 100];
    const turns = await findCallTurns(operation.transaction, caller, { callId: call.id, from, count });
    const next = from + turns.length;
    return {
      hash: row.hash,
      provider: row.provider,
      model: row.model,
      language: row.language,
      is_draft: row.isDraft,
      has_text: row.hasText,
      empty_reason: row.emptyReason,
      word_count: row.wordCount,
      turn_count: row.turnCount,
      audio_seconds: Number(row.audioMs) / 1000,
      operation_count: row.operationCount,
      created_at: timeText(row.createdAt),
      turns: turns.map((turn) => shownTurn(turn, call.speakers)),
      next_position: turns.length > 0 && next < row.turnCount ? next : null,
    };
  },
});

type ShownTurn = Static<typeof TranscriptSchema>['turns'][number];

function shownTurn(turn: CallTurnRow, speakers: readonly string[]): ShownTurn {
  return {
    position: turn.position,
    speaker: turn.speaker,
    speaker_name: speakers[turn.speaker] ?? null,
    start_ms: Number(turn.startMs),
    end_ms: Number(turn.endMs),
    text: turn.text,
    confidence: turn.confidence,
    words: (turn.words as unknown as readonly TranscriptWord[]).map((word) => ({
      text: word.text,
      start_ms: word.startMs,
      end_ms: word.endMs,
      confidence: word.confidence,
    })),
  };
}

export const analysis = defineRoute({
  method: 'GET',
  path: '/calls/:call_id/analysis',
  operationId: 'getCallAnalysis',
  tag: 'Calls',
  summary: 'Read what a call is about',
  need: readCall.need,
  params: PARAMS,
  answer: AnalysisSchema,
  errors: ['NotFound'],
  example: { params: { call_id: '{call_id}' }, answer: {} },
  run: async (context, { params }) => {
    const call = await foundCall(context, params.call_id);
    const found = await context.operation.loader(analysisLoader).load(call.id);
    if (found === null) throw notYet('analysis', call.id);
    return { version: ANALYSIS_VERSION, ...(snakeDeep(found) as object) } as Static<typeof AnalysisSchema>;
  },
});

/** Under the REST API's names, all the way down. */
function snakeDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snakeCase(key), snakeDeep(inner)]));
}

export const artifacts = defineRoute({
  method: 'GET',
  path: '/calls/:call_id/artifacts',
  operationId: 'listCallArtifacts',
  tag: 'Calls',
  summary: 'List the files of a call, with signed URLs',
  need: readCall.need,
  params: PARAMS,
  answer: Type.Object(
    { data: Type.Array(ArtifactSchema, { description: 'Its files.' }) },
    { title: 'CallArtifactList', additionalProperties: false },
  ),
  errors: ['NotFound'],
  example: { params: { call_id: '{call_id}' }, answer: { data: [] } },
  run: async (context, { params }) => {
    const { jobs } = context.deps;
    const call = await foundCall(context, params.call_id);
    const rows = await context.operation.loader(artifactsOfCallLoader).load(call.id);
    const life = lifeOfPlayed(jobs.config, Number(call.durationMs ?? 0));
    const data = await Promise.all(
      rows.map(async ({ kind, key, sizeBytes, sha256, contentType }) => {
        const signed = await jobs.urls.get(key, { ...life, fileName: fileNameOf(call.title, key) });
        return {
          kind,
          size_bytes: sizeBytes,
          sha256,
          content_type: contentType,
          url: signed.url,
          url_expires_at: timeText(signed.expiresAt),
        };
      }),
    );
    return { data };
  },
});
