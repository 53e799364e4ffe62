import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { checkStorableJson } from '../../../core/storable-json.ts';
import { textProblem } from '../../../core/text-problem.ts';

/** Where a recording comes from: exactly one of the three. */
export interface RecordingInput {
  /** A file that is going to be put to a signed URL. */
  readonly upload?:
    | {
        readonly fileName?: string | null | undefined;
        readonly contentType?: string | null | undefined;
        readonly sizeBytes?: bigint | null | undefined;
      }
    | null
    | undefined;
  readonly url?: string | null | undefined;
  /** The key of an object in the tenant's inbox. */
  readonly objectKey?: string | null | undefined;
}

export interface CallInput {
  readonly recording: RecordingInput;
  readonly title?: string | null | undefined;
  readonly speakers?: readonly string[] | null | undefined;
  readonly language?: string | null | undefined;
  readonly metadata?: unknown;
  readonly keepRecording?: boolean | null | undefined;
}

const MAX_SPEAKERS = 20;
const MAX_SPEAKER_LENGTH = 100;
const MAX_METADATA_BYTES = 16_384;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** @throws DomainError `InvalidArgument` naming the field */
export function checkCallInput(input: CallInput): void {
  const { recording, title, speakers, language, metadata } = input;
  const given = [recording.upload, recording.url, recording.objectKey].filter((value) => value != null);
  if (given.length !== 1)
    throw refused('recording', `${given.length} sources`, 'exactly one of upload, url and objectKey');
  checkFilterText('title', title, 500);
  if (title != null && title.trim() === '') throw refused('title', title, '1 to 500 characters');
  if (language != null && !LANGUAGE.test(language))
    throw refused('language', language.slice(0, 60), 'a language tag such as en-US');
  if (speakers != null && speakers.length > MAX_SPEAKERS)
    throw refused('speakers', `${speakers.length} names`, `at most ${MAX_SPEAKERS}`);
  for (const [index, name] of (speakers ?? []).entries()) {
    const problem = textProblem(name, MAX_SPEAKER_LENGTH);
    if (problem !== null || name.trim() === '')
      throw refused(
        `speakers[${index}]`,
        name.slice(0, 60),
        `a name of 1 to ${MAX_SPEAKER_LENGTH} characters`,
      );
  }
  checkFilterText('recording.upload.fileName', recording.upload?.fileName, 300);
  if (metadata != null && (typeof metadata !== 'object' || Array.isArray(metadata)))
    throw refused('metadata', typeof metadata, 'a JSON object');
  if (metadata != null && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    throw refused('metadata', 'too long', `at most ${MAX_METADATA_BYTES} bytes of JSON`);
  checkStorableJson('metadata', metadata);
}

export function refused(field: string, shown: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${JSON.stringify(shown)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
