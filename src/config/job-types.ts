import type { Setting } from './settings.ts';

/** Which job types a worker process runs, and how many of each at a time. */
export interface JobTypes {
  /** The types by name; null: all that the process knows. */
  readonly only: readonly string[] | null;
  /** Types that it does not run. */
  readonly except: readonly string[];
  /** Jobs of a type that it runs at a time, where that is less than its concurrency. */
  readonly concurrency: ReadonlyMap<string, number>;
}

const KEY = /^[a-z][a-z0-9_.-]{0,99}$/;
const MAX_CONCURRENCY = 1000;
const ALLOWED =
  'job types with commas between them: `transcode,ocr` for these alone, `!ocr` for all others, `transcode:2` for at most two at a time, `*` for all the rest';

/**
 * Reads `transcode:2,ocr`, `!ocr` or `*,transcode:2`.
 * @throws Error whose message says what is allowed
 */
export function parseJobTypes(text: string): JobTypes {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const only: string[] = [];
  const except: string[] = [];
  const concurrency = new Map<string, number>();
  let isAll = items.length === 0;
  for (const item of items) {
    if (item === '*') {
      isAll = true;
      continue;
    }
    const isExcluded = item.startsWith('!');
    const [key = '', count, ...rest] = (isExcluded ? item.slice(1) : item)
      .split(':')
      .map((part) => part.trim());
    if (!KEY.test(key) || rest.length > 0 || (isExcluded && count !== undefined)) throw new Error(ALLOWED);
    if (only.includes(key) || except.includes(key))
      throw new Error(`each type once, and ${key} is there twice`);
    if (isExcluded) {
      except.push(key);
      isAll = true;
      continue;
    }
    only.push(key);
    if (count === undefined) continue;
    const limit = Number(count);
    if (!/^\d+$/.test(count) || limit < 1 || limit > MAX_CONCURRENCY)
      throw new Error(`${key}:1 to ${key}:${MAX_CONCURRENCY}`);
    concurrency.set(key, limit);
  }
  return { only: isAll ? null : only, except, concurrency };
}

/** The types as they were given, in one form. */
export function formatJobTypes({ only, except, concurrency }: JobTypes): string {
  const limited = (key: string): string => {
    const limit = concurrency.get(key);
    return limit === undefined ? key : `${key}:${limit}`;
  };
  if (only !== null) return only.map(limited).join(',');
  return ['*', ...except.map((key) => `!${key}`), ...[...concurrency.keys()].map(limited)].join(',');
}

export const JOB_TYPES_SETTINGS = {
  jobTypes: {
    variable: 'MILLRACE_JOB_TYPES',
    description:
      'Job types that a worker process runs, so that each kind scales by itself: `transcode,ocr` for these alone, `!ocr` for all others, `transcode:2` for at most two at a time, `*` for all the rest. Empty: all types.',
    defaultText: '',
    parse: parseJobTypes,
  } satisfies Setting<JobTypes>,
} as const;
