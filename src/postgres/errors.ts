/** Every way in which the embedded server can refuse to start. */
export type EmbeddedPostgresErrorCode =
  | 'binaries_missing'
  | 'binaries_unusable'
  | 'os_user_unavailable'
  | 'data_dir_unreachable'
  | 'data_dir_other_version'
  | 'data_dir_incomplete'
  | 'init_failed'
  | 'port_in_use'
  | 'start_failed'
  | 'stop_failed';

/** The facts behind an {@link EmbeddedPostgresError}; only those that apply are set. */
export type EmbeddedPostgresErrorDetails = {
  readonly dataDir?: string;
  readonly port?: number;
  readonly path?: string;
  readonly userName?: string;
  readonly foundVersion?: string;
  readonly neededVersion?: string;
  /** The last lines that the failing Postgres program wrote. */
  readonly output?: string;
};

/** The embedded server could not be started, stopped or found; the message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;
  readonly details: EmbeddedPostgresErrorDetails;

  constructor(
    code: EmbeddedPostgresErrorCode,
    message: string,
    details: EmbeddedPostgresErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/**
 * The system's error code (`ENOENT`, `EACCES`, …) of anything that was caught, or undefined.
 */
export function systemCode(caught: unknown): string | undefined {
  if (!(caught instanceof Error) || !('code' in caught)) return undefined;
  return typeof caught.code === 'string' ? caught.code : undefined;
}
