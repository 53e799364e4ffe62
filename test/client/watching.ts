import {
  createMillraceClient,
  type MillraceClient,
  type MillraceClientOptions,
} from '../../src/client/index.ts';
import type { TestApi } from '../support/api.ts';

/** Quick retries: tests cut on purpose. */
export const QUICK = { firstMs: 50, maxMs: 500 };

export function clientOf(
  api: Pick<TestApi, 'server'>,
  options: Partial<MillraceClientOptions> & Pick<MillraceClientOptions, 'token'>,
): MillraceClient {
  return createMillraceClient({ url: api.server.graphqlUrl, backoff: QUICK, ...options });
}

/** What a watch has given so far, read by a loop of its own. */
export interface Collected<Value> {
  readonly values: readonly Value[];
  /** `done`, or the error; null while it goes on. */
  ended(): unknown;
}

export function collect<Value>(watch: AsyncIterable<Value>): Collected<Value> {
  const values: Value[] = [];
  let ended: unknown = null;
  const read = async (): Promise<void> => {
    for await (const value of watch) values.push(value);
  };
  read().then(
    () => {
      ended = 'done';
    },
    (error: unknown) => {
      ended = error;
    },
  );
  return { values, ended: () => ended };
}

/** Makes a job of the tenant move as a worker would, without one. */
export function movesOf(api: TestApi, tenantId: string) {
  const sql = (statement: string, ...values: unknown[]) => api.superuser.query(statement, values);
  return {
    run: (uuid: string) =>
      sql(
        `update millrace.jobs set status = 'running', run_no = run_no + 1, lease_token = gen_random_uuid(), started_at = now(),
           lease_expires_at = now() + interval '1 hour', claimed_at = now(), claimed_by_worker = 'w' where id = $1`,
        uuid,
      ),
    progress: (uuid: string, percent: number) =>
      sql(
        `insert into millrace.job_progress (job_id, tenant_id, run_no, percent, changed_xid) values ($1, $2, 1, $3, pg_current_xact_id())
         on conflict (job_id) do update set percent = $3, updated_at = now(), changed_xid = pg_current_xact_id()`,
        uuid,
        tenantId,
        percent,
      ),
    finish: (uuid: string) =>
      sql(
        `update millrace.jobs set status = 'succeeded', result = '"done"', finished_at = now(), lease_token = null, lease_expires_at = null
         where id = $1`,
        uuid,
      ),
    remove: (uuid: string) => sql('delete from millrace.jobs where id = $1', uuid),
  };
}
