import { DomainError } from '../../core/errors.ts';

const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
export const EVENT_NAME_MAX_CHARACTERS = 200;
const NAME_ALLOWED = `1 to ${EVENT_NAME_MAX_CHARACTERS} characters: lower-case words of a-z, 0-9, _ and - with dots between them, such as provider.folder.updated`;

/**
 * First words of the names of Millrace's own events: `job.succeeded`, `video.ready`. Nobody else emits them.
 */
const OWN_WORDS: readonly string[] = ['job', 'video', 'clip'];

/**
 * Checks the name of an event that somebody emits.
 * @throws DomainError `InvalidArgument`, also for a name that only Millrace's own events have
 */
export function parseEmittedName(name: string, field = 'name'): string {
  const parsed = parseEventName(name, field);
  const [word = ''] = parsed.split('.');
  if (!OWN_WORDS.includes(word)) return parsed;
  const allowed = `a name that does not begin with ${OWN_WORDS.join(', ')}, which are Millrace's own`;
  throw new DomainError('InvalidArgument', `${field} "${parsed}" is reserved; allowed: ${allowed}`, {
    field,
    allowed,
  });
}

/** @throws DomainError `InvalidArgument` */
export function parseEventName(name: string, field = 'name'): string {
  if (name.length <= EVENT_NAME_MAX_CHARACTERS && NAME.test(name)) return name;
  throw new DomainError(
    'InvalidArgument',
    `${field} "${name.slice(0, 100)}" is no event name; allowed: ${NAME_ALLOWED}`,
    {
      field,
      allowed: NAME_ALLOWED,
    },
  );
}

/**
 * Checks what a trigger listens to: an event name, or the beginning of names followed by `.*`, which stands
 * for one or more words.
 * @throws DomainError `InvalidArgument`
 */
export function parseEventPattern(pattern: string, field = 'eventName'): string {
  const prefix = pattern.endsWith('.*') ? pattern.slice(0, -2) : pattern;
  if (pattern.length <= EVENT_NAME_MAX_CHARACTERS && NAME.test(prefix)) return pattern;
  const allowed = `an event name, or the first words of one followed by .*, such as provider.*`;
  throw new DomainError(
    'InvalidArgument',
    `${field} "${pattern.slice(0, 100)}" is no event name or pattern; allowed: ${allowed}`,
    {
      field,
      allowed,
    },
  );
}

/**
 * The name of what comes in for a trigger itself: what it listens to, the last words of a pattern being
 * `webhook`.
 */
export function eventNameOfPattern(pattern: string): string {
  return pattern.endsWith('.*') ? `${pattern.slice(0, -1)}webhook` : pattern;
}

/**
 * Every pattern that matches a name, so that triggers are found by equality and an index: `a.b.c` is matched
 * by itself, `a.b.*` and `a.*`.
 */
export function patternsOf(name: string): readonly string[] {
  const words = name.split('.');
  return [name, ...words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('.')}.*`)];
}
