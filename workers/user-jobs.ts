import { defineJob, type JobDefinition } from '../src/core/definition.ts';
import { DomainError, toError } from '../src/core/errors.ts';
import type { Registration } from './handler.ts';

/** A job of a user's, and where it was given: `jobs[2]`, or the file it is in. */
export interface UserJob {
  readonly where: string;
  readonly value: unknown;
}

const ALLOWED = 'job(definition, handler)';

/**
 * Checks a user's jobs: that they are such, that their definitions hold, that no key is taken.
 * @param shipped definitions of Millrace's own, whose keys are taken
 * @returns them with complete definitions, in the same order
 * @throws DomainError `RegistryInvalid` that lists every problem, each with its place
 */
export function checkUserJobs(
  jobs: readonly UserJob[],
  shipped: readonly JobDefinition[],
): readonly Registration[] {
  const problems: string[] = [];
  const placeOfKey = new Map(shipped.map(({ key }) => [key, "one of Millrace's own jobs"]));
  const checked: Registration[] = [];
  for (const { where, value } of jobs) {
    try {
      const registration = toRegistration(value);
      const { key } = registration.definition;
      const other = placeOfKey.get(key);
      if (other !== undefined) {
        problems.push(`${where}: the key "${key}" is taken by ${other}; allowed: a key of its own`);
        continue;
      }
      placeOfKey.set(key, where);
      checked.push(registration);
    } catch (error) {
      problems.push(`${where}: ${toError(error).message}`);
    }
  }
  if (problems.length === 0) return checked;
  throw new DomainError('RegistryInvalid', `Own jobs:\n  ${problems.join('\n  ')}`, {
    problems,
    allowed: ALLOWED,
  });
}

/** True for what `job` and `register` return, whichever copy of them made it. */
export function isRegistration(value: unknown): value is Registration {
  return hasKeyed(value, 'definition') && typeof (value as Partial<Registration>).load === 'function';
}

function toRegistration(value: unknown): Registration {
  if (isRegistration(value)) return { ...value, definition: defineJob(value.definition) };
  if (typeof (value as { payload?: unknown } | null)?.payload === 'object')
    throw new Error(`is a definition without a handler; allowed: ${ALLOWED}`);
  throw new Error(`is ${describe(value)}; allowed: ${ALLOWED}`);
}

function hasKeyed(value: unknown, field: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const inner = (value as Readonly<Record<string, unknown>>)[field];
  return typeof inner === 'object' && inner !== null;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}
