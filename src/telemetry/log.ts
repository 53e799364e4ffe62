import pino, { type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { redact } from '../core/redaction/redact.ts';
import { redactText } from '../core/redaction/redact-text.ts';

export type { Logger };

/** What a line says beside its message; an error alone is its field `err`. */
function shownFields(fields: object): Record<string, unknown> {
  const shown = redact(fields instanceof Error ? { err: fields } : fields);
  return typeof shown === 'object' && shown !== null ? (shown as Record<string, unknown>) : { data: shown };
}

/** The arguments of a logging method: fields, message, parts of the message. */
function shownArguments([first, ...rest]: readonly unknown[]): unknown[] {
  const texts = rest.map((part) => (typeof part === 'string' ? redactText(part) : redact(part)));
  if (typeof first === 'string') return [redactText(first), ...texts];
  if (typeof first !== 'object' || first === null) return [first, ...texts];
  const fields = shownFields(first);
  const { err } = fields as { err?: { message?: unknown } | undefined };
  return texts.length === 0 && typeof err?.message === 'string' ? [fields, err.message] : [fields, ...texts];
}

/**
 * The process's logger. It writes to stderr: stdout is for what a program reads (the ready line).
 * Lines about a job carry `job_id`, `tenant_id`, `definition_key`, `attempt_no` and `worker_id`; see
 * `jobFields`. Secrets are replaced in all that it writes; see `redact`.
 */
export function createLogger(config: Pick<Config, 'logLevel' | 'logFormat'>, component: string): Logger {
  const pretty =
    config.logFormat === 'pretty' || (config.logFormat === 'auto' && process.stderr.isTTY === true);
  const log = pino(
    {
      level: config.logLevel,
      base: { component, pid: process.pid },
      // Errors are written out by `redact`.
      serializers: { err: (shown: unknown) => shown },
      hooks: {
        logMethod(given, method) {
          method.apply(this, shownArguments(given) as typeof given);
        },
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pretty
      ? pino.transport({
          target: 'pino-pretty',
          options: { destination: 2, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' },
        })
      : pino.destination({ dest: 2, sync: true }),
  );
  const { child } = log;
  // Inherited by children; pino writes what they are bound to without asking the hook above.
  log.child = function (this: Logger, bindings, options) {
    return child.call(this, shownFields(bindings), options);
  } as typeof child;
  return log;
}
