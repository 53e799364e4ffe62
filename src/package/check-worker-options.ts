import {
  checkOptions,
  integerFrom,
  type OptionRule,
  postgresUrl,
  textLike,
  trueOrFalse,
} from './check-options.ts';
import { CONNECTION_RULES } from './connection-rules.ts';
import type { WorkerOptions } from './options.ts';

const path = textLike(/[\s\S]/, 'a path');

const RULES = {
  ...CONNECTION_RULES,
  jobs: (value) =>
    Array.isArray(value) && value.length > 0 ? null : 'a list of at least one job(definition, handler)',
  concurrency: integerFrom(1, 1000),
  shutdownSeconds: integerFrom(0, 3600),
  migrate: trueOrFalse,
  migrateUrl: postgresUrl,
  dataDir: path,
  storageDir: path,
  exitWhenBlocked: trueOrFalse,
} as const satisfies Readonly<Record<keyof WorkerOptions, OptionRule>>;

/** @throws DomainError `InvalidArgument` naming the option */
export function checkWorkerOptions(options: WorkerOptions): void {
  checkOptions('createWorker', options, RULES, ['databaseUrl', 'jobs']);
}
