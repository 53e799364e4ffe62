import pino, { type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { SECRET_NAMES, SECRET_SHOWN } from '../core/secret-names.ts';

export type { Logger };

/** Fields of these names, down to the third level. */
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

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
      redact: { paths: SECRET_PATHS, censor: SECRET_SHOWN },
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
