import { mapSecretFields } from '../../../core/redaction/secret-fields.ts';
import { SECRET_SHOWN } from '../../../core/redaction/secret-name.ts';

/**
 * A template as everybody sees it: secrets that stand in it are hidden by the names of their fields, and what
 * is filled in later is no secret.
 */
export function maskTemplate(template: unknown): unknown {
  return mapSecretFields({}, template, (value) =>
    typeof value === 'string' && value.includes('{{') ? value : SECRET_SHOWN,
  );
}
