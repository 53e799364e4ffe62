import { STAGE_STATUSES } from '../../../core/pipelines/stage-status.ts';
import { nullable, Type } from '../../../rest/schema.ts';
import { JobErrorSchema, JobProgressSchema } from '../../../rest/schemas/job.ts';
import { CALL_STATUSES } from '../call-status.ts';
import { CALL_STAGES } from '../pipeline/call-stages.ts';

const Ms = (description: string) => Type.Integer({ description: `${description}, in milliseconds.` });

const StageSchema = Type.Object(
  {
    stage: Type.Words(CALL_STAGES, { description: 'Which.' }),
    status: Type.Words(STAGE_STATUSES, { description: 'Current status.' }),
    job_id: Type.NullableUuid({
      description: 'The newest job that runs it; null while its turn has not come.',
    }),
    progress: nullable(JobProgressSchema, { description: 'How far the run at work on it is.' }),
  },
  { title: 'CallStage', description: 'A stage of a call.', additionalProperties: false },
);

const CostSchema = Type.Object(
  {
    audio_seconds: Type.Number({ description: 'Seconds of sound that a provider may have charged for.' }),
    speech_micros: Type.NullableInteger({
      description: 'The cost of the transcript, in millionths of the currency.',
    }),
    input_tokens: Type.Integer({ description: 'Tokens that a language model read for the summary.' }),
    output_tokens: Type.Integer({ description: 'Tokens that it wrote.' }),
    summary_micros: Type.NullableInteger({ description: 'The cost of the summary.' }),
    total_micros: Type.NullableInteger({ description: 'The cost of both, as far as prices are set.' }),
  },
  { title: 'CallCost', description: 'What a call has cost.', additionalProperties: false },
);

export const CallSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    title: Type.String({ description: 'Its title.' }),
    status: Type.Words(CALL_STATUSES, { description: 'Current status.' }),
    error: nullable(JobErrorSchema, { description: 'Why it failed, where it did.' }),
    speakers: Type.Array(Type.String(), { description: 'Who speaks, in the order of the channels.' }),
    language: Type.NullableString({ description: 'As it was submitted.' }),
    metadata: Type.Json({ description: 'As it was submitted: an object.' }),
    size_bytes: Type.NullableInteger({ description: 'Size of the recording.' }),
    duration_ms: Type.NullableInteger({ description: 'Its length; null until its sound is there.' }),
    channel_count: Type.NullableInteger({ description: 'Channels of its sound, 1 or 2.' }),
    loudness_lufs: Type.NullableNumber({ description: 'How loud it is as a whole (EBU R 128).' }),
    is_silent: plainNullableBoolean('Nobody is to be heard; null until its sound is there.'),
    has_transcript: Type.Boolean({ description: 'Its transcript is there.' }),
    has_analysis: Type.Boolean({ description: 'Its analysis is there.' }),
    stages: Type.Array(StageSchema, { description: 'Its stages, in their order.' }),
    cost: CostSchema,
    created_by: Type.NullableString({ description: 'Who submitted it.' }),
    created_at: Type.Time({ description: 'When it was submitted.' }),
    updated_at: Type.Time({ description: 'When it last changed.' }),
    version: Type.String({ description: 'Grows with each change; the same as the ETag.' }),
  },
  { title: 'Call', description: 'A recorded call.', additionalProperties: false },
);

function plainNullableBoolean(description: string) {
  return nullable(Type.Boolean(), { description });
}

export const CallUploadSchema = Type.Object(
  {
    method: Type.String({ description: '`PUT`.' }),
    url: Type.String({ description: 'Put the file’s bytes here; it needs no token.' }),
    headers: Type.Map({ description: 'Headers to send.' }),
    expires_at: Type.Time({ description: 'Until when the URL is good.' }),
    max_size_bytes: Type.Integer({ description: 'A larger file is refused.' }),
  },
  { title: 'CallUpload', additionalProperties: false },
);

const WordSchema = Type.Object(
  {
    text: Type.String({ description: 'As it was heard.' }),
    start_ms: Ms('From'),
    end_ms: Ms('To'),
    confidence: Type.NullableNumber({ description: '0 to 1; null where the provider gives none.' }),
  },
  { title: 'CallWord', additionalProperties: false },
);

const TurnSchema = Type.Object(
  {
    position: Type.Integer({ description: 'From 0, in the order of time.' }),
    speaker: Type.Integer({ description: 'Who, from 0.' }),
    speaker_name: Type.NullableString({ description: 'Their name, where the call has one.' }),
    start_ms: Ms('From'),
    end_ms: Ms('To'),
    text: Type.String({ description: 'Empty where nothing recognises words.' }),
    confidence: Type.NullableNumber({ description: '0 to 1; null where the provider gives none.' }),
    words: Type.Array(WordSchema, {
      description: 'Its words; none where the provider gives no times of them.',
    }),
  },
  { title: 'CallTurn', additionalProperties: false },
);

export const TranscriptSchema = Type.Object(
  {
    hash: Type.String({ description: 'SHA-256 of who says what and when.' }),
    provider: Type.String({
      description: '`speechkit`, `openai`, `command`, `pocketsphinx`, `segments` or `none`.',
    }),
    model: Type.NullableString({ description: 'The provider’s model.' }),
    language: Type.NullableString({ description: 'As it was asked for, or heard.' }),
    is_draft: Type.Boolean({ description: 'Its words need a look before they are used.' }),
    has_text: Type.Boolean({ description: 'False: times and speakers alone, or nothing.' }),
    empty_reason: Type.NullableString({
      description: 'Why it has no text: `silent`, `no_provider`, `nothing_recognised`.',
    }),
    word_count: Type.Integer({ description: 'Words.' }),
    turn_count: Type.Integer({ description: 'Turns.' }),
    audio_seconds: Type.Number({ description: 'Seconds of sound that were transcribed.' }),
    operation_count: Type.Integer({ description: 'Operations of the provider that were begun for it.' }),
    created_at: Type.Time({ description: 'When it was stored.' }),
    turns: Type.Array(TurnSchema, { description: 'Turns from the position that was asked for on.' }),
    next_position: Type.NullableInteger({ description: '`from` of the next part; null at the end.' }),
  },
  { title: 'CallTranscript', description: 'What was said in a call.', additionalProperties: false },
);

export const AnalysisSchema = Type.Object(
  {
    version: Type.Integer({ description: 'The version of the analysis.' }),
    speakers: Type.Array(Type.Map(), {
      description: 'Who takes part, and how: `talk_ratio`, `word_count` …',
    }),
    interruptions: Type.Array(Type.Map(), { description: '`speaker`, `at_ms`, `overlap_ms`.' }),
    silences: Type.Array(Type.Map(), { description: '`start_ms`, `end_ms`; of two seconds or more.' }),
    silence_ms: Ms('All silences together'),
    questions: Type.Array(Type.Map(), { description: '`speaker`, `at_ms`, `text`.' }),
    keywords: Type.Array(Type.Map(), { description: '`text`, `count`, `first_at_ms`.' }),
    entities: Type.Array(Type.Map(), {
      description: '`type`, `value`, `normalized_value`, `speaker`, `at_ms`.',
    }),
    summary: nullable(Type.Map(), {
      description: '`summary`, `topics`, `action_items`, `sentiment`; null without a chat endpoint.',
    }),
    cost: nullable(Type.Map(), { description: '`model`, `input_tokens`, `output_tokens`, `micros`.' }),
  },
  { title: 'CallAnalysis', description: 'What a transcript says.', additionalProperties: false },
);

export const ArtifactSchema = Type.Object(
  {
    kind: Type.String({
      description: '`call_recording`, `call_audio`, `call_waveform`, `call_ogg` or `call_transcript`.',
    }),
    size_bytes: Type.Integer({ description: 'Its size.' }),
    sha256: Type.String({ description: 'Its SHA-256, in hexadecimal.' }),
    content_type: Type.String({ description: 'Its media type.' }),
    url: Type.String({ description: 'Signed URL; it needs no token.' }),
    url_expires_at: Type.Time({ description: 'Until when it is good.' }),
  },
  { title: 'CallArtifact', description: 'A file of a call.', additionalProperties: false },
);

export const HitSchema = Type.Object(
  {
    call_id: Type.Uuid({ description: 'The call.' }),
    title: Type.String({ description: 'Its title.' }),
    position: Type.Integer({ description: 'The place of the turn in its transcript.' }),
    speaker: Type.Integer({ description: 'Who says it, from 0.' }),
    speaker_name: Type.NullableString({ description: 'Their name, where the call has one.' }),
    start_ms: Ms('From'),
    end_ms: Ms('To'),
    text: Type.String({ description: 'The turn.' }),
    score: Type.Number({ description: 'How well it answers.' }),
  },
  { title: 'CallHit', description: 'What somebody said that was found.', additionalProperties: false },
);
