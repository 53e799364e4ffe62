import type { JobDefinition } from '../core/definition.ts';
import { DomainError } from '../core/errors.ts';
import { RESERVED_KEY_PREFIX } from '../core/pipelines/dedupe-key.ts';
import type { EnqueueInput } from '../core/queue.ts';
import { ENQUEUE_FIELDS } from '../db/enqueued-columns.ts';
import type { EnqueueOptions } from './client-contract.ts';

const OPTION_NAMES: readonly string[] = ENQUEUE_FIELDS.filter(
  (name) => !['definitionKey', 'payload', 'createdBy'].includes(name),
);

/**
 * What the queue is asked for. Takes only the options there are: from JavaScript, `delay` for `scheduledFor`
 * would otherwise start the job at once without a word.
 * @throws DomainError `InvalidArgument`
 */
export function enqueueInput(
  definition: JobDefinition,
  payload: unknown,
  options: EnqueueOptions,
  createdBy: string | null,
): EnqueueInput {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name));
  if (unknown !== undefined) throw refused(unknown, 'no option', `the options ${OPTION_NAMES.join(', ')}`);
  if (options.dedupeKey?.startsWith(RESERVED_KEY_PREFIX) === true) {
    const shown = JSON.stringify(options.dedupeKey.slice(0, 80));
    throw refused('dedupeKey', shown, `a key that does not begin with "${RESERVED_KEY_PREFIX}"`);
  }
  return { ...options, definitionKey: definition.key, payload, createdBy };
}

function refused(field: string, is: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `enqueue: ${field} is ${is}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
