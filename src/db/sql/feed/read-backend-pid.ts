import { statement } from '../../statement.ts';

/**
 * The process of the server that answers. Behind a pooler it is another than the one that the connection was
 * given. Locks nothing; no index.
 */
export const readBackendPid = statement('read_backend_pid', 'select pg_backend_pid() as pid');

export interface BackendPidRow {
  readonly pid: number;
}
