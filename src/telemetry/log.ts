import pino, { type Logger } from 'pino';
import type { Config } from '../config/config.ts';

export type { Logger };

/** Fields that must never reach a log, wherever they are in an object. */
const SECRET_PATHS = [
  'token',
  'authorization',
  'password',
  'secret',
  'apiKey',
  'connectionString',
  'leaseToken',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/**
 * The process's logger. It writes to stderr: stdout is for what a program reads (the ready line).
 * Lines about a job carry `job_id`, `tenant_id`, `definition_key`, `attempt_no` and `worker_id`; see `jobFields`.
 */
export function createLogger(config: Pick<Config, 'logLevel' | 'logFormat'>, component: string): Logger {
  const pretty =
    config.logFormat === 'pretty' || (config.logFormat === 'auto' && process.stderr.isTTY === true);
  return pino(
    {
      level: config.logLevel,
      base: { component, pid: process.pid },
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pretty
      ? pino.transport({
          target: 'pino-pretty',
          options: { destination: 2, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' },
        })
      : pino.destination({ dest: 2, sync: true }),
  );
}
