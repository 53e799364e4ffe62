import { DomainError } from '../core/errors.ts';
import type { JobMetadata } from '../core/job.ts';
import { checkStorableJson } from '../core/storable-json.ts';
import { textProblem } from '../core/text-problem.ts';
import { payloadJson } from './payload-json.ts';

export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 64;
/** As JSON text in UTF-8. */
export const MAX_METADATA_BYTES = 4096;

/** What a caller may attach to a job beside its payload. */
export interface JobLabels {
  readonly tags?: readonly string[] | null | undefined;
  readonly metadata?: JobMetadata | null | undefined;
}

/**
 * Checks tags and metadata, whatever their types say: callers may be written in JavaScript.
 * @throws DomainError `InvalidArgument` naming `tags`, `tags[i]` or `metadata`
 */
export function checkLabels({ tags, metadata }: JobLabels): void {
  checkTags('tags', tags);
  if (metadata != null) metadataText(metadata);
}

/** @throws DomainError `InvalidArgument` naming the field, or the place in it */
export function checkTags(field: string, tags: readonly string[] | null | undefined): void {
  if (tags == null) return;
  if (!Array.isArray(tags)) throw refused(field, `a value of type ${typeof tags}`, 'a list of texts');
  if (tags.length > MAX_TAGS) throw refused(field, `${tags.length} tags`, `at most ${MAX_TAGS} tags`);
  for (const [at, tag] of tags.entries()) {
    if (typeof tag === 'string' && tag.length > 0 && textProblem(tag, MAX_TAG_LENGTH) === null) continue;
    const shown =
      typeof tag === 'string' ? JSON.stringify(tag.slice(0, 80)) : `a value of type ${typeof tag}`;
    throw refused(
      `${field}[${at}]`,
      shown,
      `1 to ${MAX_TAG_LENGTH} characters of well-formed text without NUL`,
    );
  }
}

/** Metadata as JSON; null without any. */
export function metadataJson({ metadata }: JobLabels): string | null {
  if (metadata == null) return null;
  const json = metadataText(metadata);
  return json === '{}' ? null : json;
}

function metadataText(metadata: JobMetadata): string {
  const allowed = `an object of at most ${MAX_METADATA_BYTES} bytes of JSON`;
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    throw refused(
      'metadata',
      Array.isArray(metadata) ? 'a list' : `a value of type ${typeof metadata}`,
      allowed,
    );
  const json = writtenMetadata(metadata, allowed);
  if (!json.startsWith('{')) throw refused('metadata', 'written as something else than an object', allowed);
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > MAX_METADATA_BYTES) throw refused('metadata', `${sizeBytes} bytes of JSON`, allowed);
  checkStorableJson('metadata', metadata);
  return json;
}

function writtenMetadata(metadata: JobMetadata, allowed: string): string {
  try {
    return payloadJson(metadata, Number.POSITIVE_INFINITY);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw refused('metadata', `not taken (${error.message.replace(/^payload /, 'it ')})`, allowed, error);
  }
}

function refused(field: string, shown: string, allowed: string, cause?: unknown): DomainError {
  const message = `${field} is ${shown}; allowed: ${allowed}.`;
  return new DomainError('InvalidArgument', message, { field, allowed }, cause);
}
