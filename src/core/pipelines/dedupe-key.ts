/**
 * Dedupe keys that begin so are the pipelines' own; callers' keys share the tenant's one namespace and may
 * not.
 */
export const RESERVED_KEY_PREFIX = 'millrace:';

/** The dedupe key of a pipeline's stage about one subject: at most one such job is active. */
export function pipelineDedupeKey(definitionKey: string, subjectId: string): string {
  return `${RESERVED_KEY_PREFIX}${definitionKey}:${subjectId}`;
}
