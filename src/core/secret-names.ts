/** Names of fields whose values must never reach a log, wherever they are in an object. */
export const SECRET_NAMES = [
  'token',
  'authorization',
  'password',
  'secret',
  'apiKey',
  'connectionString',
  'leaseToken',
] as const;

/** What stands there instead. */
export const SECRET_SHOWN = '[secret]';
