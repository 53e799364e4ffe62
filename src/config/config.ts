import { DomainError } from '../core/errors.ts';
import { DEFAULT_JOB_LOG_LIMITS } from '../core/job-log.ts';
import { CLIP_SETTINGS } from './clip-settings.ts';
import { JOB_TYPES_SETTINGS } from './job-types.ts';
import { LINKS_SETTINGS } from './links-settings.ts';
import { MEDIA_SETTINGS } from './media-settings.ts';
import { METRICS_SETTINGS } from './metrics-settings.ts';
import { OCR_SETTINGS } from './ocr-settings.ts';
import { OIDC_SETTINGS } from './oidc-settings.ts';
import { OUTGOING_SETTINGS } from './outgoing-settings.ts';
import { PIPELINE_LOG_SETTINGS } from './pipeline-log-settings.ts';
import { PROCESSING_SETTINGS } from './processing-settings.ts';
import { PROTECTION_SETTINGS } from './protection-settings.ts';
import { SECRET_SETTINGS } from './secret-settings.ts';
import { choice, defaultTextOf, flag, integer, list, optionalText, type Setting, text } from './settings.ts';
import { SIGNING_SETTINGS } from './signing-settings.ts';
import { SPEECH_SETTINGS } from './speech-settings.ts';
import { STORAGE_SETTINGS } from './storage-settings.ts';
import { UPLOAD_SETTINGS } from './upload-settings.ts';
import { WORKER_SETTINGS } from './worker-settings.ts';

const URL_RULE = /^postgres(ql)?:\/\/\S+$/;
const HTTP_RULE = /^https?:\/\/\S+$/;
const ANY = /[\s\S]/;

/** Every setting, by its name in `Config`; `docs/configuration.md` is made from this. */
const SETTINGS = {
  databaseUrl: optionalText(
    'DATABASE_URL',
    'Postgres 18 or newer, with ICU, to use; without it an embedded one is started.',
    URL_RULE,
    'a postgres:// URL',
    true,
  ),
  migrateUrl: optionalText(
    'MILLRACE_MIGRATE_URL',
    'Login for migrations, where it differs.',
    URL_RULE,
    'a postgres:// URL',
    true,
  ),
  listenUrl: optionalText(
    'MILLRACE_LISTEN_URL',
    'Direct connection for LISTEN, where DATABASE_URL goes through a pooler.',
    URL_RULE,
    'a postgres:// URL',
    true,
  ),
  dataDir: text(
    'MILLRACE_DATA_DIR',
    'Where embedded Postgres and local storage keep their data.',
    '.millrace',
    ANY,
    'a path',
  ),
  rolePrefix: text(
    'MILLRACE_ROLE_PREFIX',
    'Prefix of the three database roles.',
    'millrace',
    /^[a-z_][a-z0-9_]{0,39}$/,
    'a lower-case identifier of at most 40 characters',
  ),
  maxConnections: integer(
    'MILLRACE_MAX_CONNECTIONS',
    'Database connections that a process opens at most, in all; 0: 6 in a worker, 12 in an API process.',
    0,
    0,
    500,
  ),
  pooler: choice(
    'MILLRACE_POOLER',
    '`transaction` where DATABASE_URL goes through PgBouncer or a like in transaction mode; see scaling.md.',
    'none',
    ['none', 'transaction'],
  ),
  preparedStatements: flag(
    'MILLRACE_PREPARED_STATEMENTS',
    'Off behind PgBouncer below 1.21 in transaction mode.',
    true,
  ),
  host: text('HOST', 'Address that the API listens on.', '127.0.0.1', /^\S+$/, 'a host name or address'),
  port: integer('PORT', 'Port of the API; 0 takes any free one.', 4000, 0, 65_535),
  reusePort: flag(
    'MILLRACE_REUSE_PORT',
    'Lets several API processes of one machine listen on the same port (Linux); see scaling.md.',
    false,
  ),
  publicUrl: optionalText(
    'MILLRACE_PUBLIC_URL',
    'Address under which clients reach the API; used in signed URLs.',
    HTTP_RULE,
    'an http:// or https:// URL',
  ),
  corsOrigins: list(
    'MILLRACE_CORS_ORIGINS',
    'Origins of browsers that may call the API, comma-separated, such as https://app.example.com or http://localhost:* for all ports; same origin always may.',
    HTTP_RULE,
    'http(s) origins, comma-separated',
  ),
  jwtSecret: optionalText(
    'MILLRACE_JWT_SECRET',
    'Shared secret of HS256 tokens, at least 32 characters; the embedded set-up makes its own.',
    /^.{32,}$/,
    'at least 32 characters',
    true,
  ),
  jwksUrl: optionalText(
    'MILLRACE_JWKS_URL',
    'Where the public keys of RS256/ES256 tokens are.',
    HTTP_RULE,
    'an http:// or https:// URL',
  ),
  jwtIssuer: optionalText('MILLRACE_JWT_ISSUER', 'Required `iss`, where set.', ANY, 'any text'),
  jwtAudience: optionalText('MILLRACE_JWT_AUDIENCE', 'Required `aud`, where set.', ANY, 'any text'),
  ...OIDC_SETTINGS,
  jwtTenantClaim: text(
    'MILLRACE_JWT_TENANT_CLAIM',
    'Claim with the tenant id; dots go into objects (app_metadata.tenant_id).',
    'tenant_id',
    /^\S+$/,
    'a claim path',
  ),
  jwtRoleClaim: text('MILLRACE_JWT_ROLE_CLAIM', 'Claim with the role.', 'role', /^\S+$/, 'a claim path'),
  jwtClockToleranceSeconds: integer(
    'MILLRACE_JWT_CLOCK_TOLERANCE_SECONDS',
    'How far `iat` and `nbf` of a token may lie ahead, as the clock of an identity provider does; a revocation covers as much more.',
    5,
    0,
    300,
  ),
  ...SIGNING_SETTINGS,
  maxPayloadBytes: integer(
    'MILLRACE_MAX_PAYLOAD_BYTES',
    'Largest payload of a job, as JSON text.',
    1024 * 1024,
    1024,
    64 * 1024 * 1024,
  ),
  maxUploadBytes: integer('MILLRACE_MAX_UPLOAD_BYTES', 'Largest upload.', 10 * 2 ** 30, 1, 2 ** 42),
  ...UPLOAD_SETTINGS,
  ...CLIP_SETTINGS,
  ...STORAGE_SETTINGS,
  ...MEDIA_SETTINGS,
  ...SPEECH_SETTINGS,
  ...OCR_SETTINGS,
  ...PROCESSING_SETTINGS,
  searchPath: optionalText(
    'PATH',
    'Folders in which programs (ffmpeg, ffprobe, tesseract) are looked for.',
    ANY,
    'a list of folders',
  ),
  handlers: optionalText(
    'MILLRACE_HANDLERS',
    'Folder of your own jobs, or one module of them, that workers run beside the built-in ones; see own-jobs.md.',
    ANY,
    'a path',
  ),
  commands: text(
    'MILLRACE_COMMANDS',
    'File of the commands that may be run as jobs; the default need not be there. See commands.md.',
    'millrace.commands.json',
    ANY,
    'a path',
  ),
  ...OUTGOING_SETTINGS,
  ...LINKS_SETTINGS,
  ...WORKER_SETTINGS,
  ...JOB_TYPES_SETTINGS,
  ...SECRET_SETTINGS,
  reconnectSpreadMs: integer(
    'MILLRACE_RECONNECT_SPREAD_MS',
    'A stopping server closes its streams over at most this long, 0.2 ms each, so that their clients do not come back all at once.',
    2_000,
    0,
    60_000,
  ),
  retentionDays: integer(
    'MILLRACE_RETENTION_DAYS',
    'Days that finished jobs are kept where neither their definition nor their tenant says; 0 keeps them forever.',
    14,
    0,
    36_500,
  ),
  deadLetterRetentionDays: integer(
    'MILLRACE_DEAD_LETTER_RETENTION_DAYS',
    'Days that dead-lettered jobs are kept, whatever their definition and tenant say of finished jobs; 0 keeps them until somebody retries or deletes them.',
    0,
    0,
    36_500,
  ),
  usageRetentionDays: integer(
    'MILLRACE_USAGE_RETENTION_DAYS',
    'Days that the record of each run (metering) is kept; 0 keeps it forever.',
    400,
    0,
    36_500,
  ),
  auditRetentionDays: integer(
    'MILLRACE_AUDIT_RETENTION_DAYS',
    'Days that entries of the audit log are kept; 0 keeps them forever.',
    400,
    0,
    36_500,
  ),
  janitorHours: integer(
    'MILLRACE_JANITOR_HOURS',
    'Age from which files of a video that nothing names (left by killed runs) are deleted from the store; 0 leaves them.',
    24,
    0,
    8_760,
  ),
  jobLogLevel: choice(
    'MILLRACE_JOB_LOG_LEVEL',
    "Least level of the handlers' log lines that is stored with their job, see job-log.md; `off` stores none.",
    DEFAULT_JOB_LOG_LIMITS.level,
    ['debug', 'info', 'warn', 'error', 'off'],
  ),
  jobLogMaxLines: integer(
    'MILLRACE_JOB_LOG_MAX_LINES',
    'Log lines that are stored of one run; later ones are dropped and counted.',
    DEFAULT_JOB_LOG_LIMITS.maxLines,
    1,
    10_000_000,
  ),
  jobLogMaxBytes: integer(
    'MILLRACE_JOB_LOG_MAX_BYTES',
    'Bytes of log lines that are stored of one run.',
    DEFAULT_JOB_LOG_LIMITS.maxBytes,
    1_024,
    1_073_741_824,
  ),
  ...PIPELINE_LOG_SETTINGS,
  echo: flag('MILLRACE_ECHO', 'The built-in `echo` definition, for trying things out.', true),
  ...PROTECTION_SETTINGS,
  ...METRICS_SETTINGS,
  logLevel: choice('MILLRACE_LOG_LEVEL', 'Least level that is logged.', 'info', [
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'fatal',
    'silent',
  ]),
  logFormat: choice(
    'MILLRACE_LOG_FORMAT',
    'json for machines, pretty for people; auto: pretty on a terminal.',
    'auto',
    ['auto', 'json', 'pretty'],
  ),
} as const;

/** What Kubernetes puts into every container beside a Service that is called `millrace`. */
const INJECTED = /^MILLRACE_(SERVICE_(HOST|PORT)|PORT)(_|$)/;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** The settings of one process, read once. */
export type Config = { readonly [K in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[K]> };

/** All settings, for `--check` and the documentation. */
export function allSettings(): readonly Setting<unknown>[] {
  return Object.values(SETTINGS);
}

/**
 * Reads the configuration from environment variables.
 * @param env the process environment by default; tests give their own
 * @throws DomainError `ConfigInvalid` with every problem at once, unknown `MILLRACE_*` variables included
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    const given = env[setting.variable];
    const source = given === undefined || given === '' ? defaultTextOf(setting, env) : given;
    if (source === null) {
      values[name] = null;
      continue;
    }
    try {
      values[name] = setting.parse(source);
    } catch (error) {
      const shown = setting.secret === true ? 'the given value (hidden)' : JSON.stringify(source);
      problems.push(`${setting.variable}: ${shown} is not allowed; allowed: ${(error as Error).message}`);
    }
  }
  const known = new Set(allSettings().map((setting) => setting.variable));
  for (const variable of Object.keys(env)) {
    if (variable.startsWith('MILLRACE_') && !known.has(variable) && !INJECTED.test(variable))
      problems.push(`${variable}: no such setting`);
  }
  if (problems.length > 0) {
    throw new DomainError('ConfigInvalid', `Configuration:\n  ${problems.join('\n  ')}`, { problems });
  }
  return Object.freeze(values) as Config;
}
