import { integerFrom, type OptionRule, oneOf, postgresUrl, textLike, trueOrFalse } from './check-options.ts';
import type { ConnectionOptions } from './options.ts';

export const CONNECTION_RULES = {
  databaseUrl: postgresUrl,
  listenUrl: postgresUrl,
  maxConnections: integerFrom(2, 500),
  rolePrefix: textLike(/^[a-z_][a-z0-9_]{0,39}$/, 'a lower-case identifier of at most 40 characters'),
  pooler: oneOf('none', 'transaction'),
  preparedStatements: trueOrFalse,
  logLevel: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  logFormat: oneOf('auto', 'json', 'pretty'),
  schemaWaitSeconds: integerFrom(0, 3600),
} as const satisfies Readonly<Record<keyof ConnectionOptions, OptionRule>>;
