import type { Handler } from '../../../../workers/handler.ts';
import type { RunningWorker } from '../../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../../support/queue.ts';
import { waitFor } from '../../../support/wait.ts';
import { definitions } from './definitions.ts';
import { startTestWorker } from './worker.ts';

/**
 * One worker with one slot, whose handlers do what each test sets for them; it serves all tests of a file.
 */
export interface ScriptedWorker {
  readonly q: TestQueue;
  readonly tenantId: string;
  readonly worker: RunningWorker;
  /** What each definition does from now on. */
  use(handlers: Readonly<Record<string, Handler<never>>>): void;
  /** Sets the handler and enqueues a job for it. */
  runJob(key: string, handler: Handler<never>, payload?: unknown): Promise<string>;
  /** The job's row, once it is final. */
  finalJob(id: string): Promise<Record<string, unknown>>;
  /** How its attempts ended. */
  attempts(id: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openScriptedWorker(version = ''): Promise<ScriptedWorker> {
  const q = await openTestQueue(definitions);
  const tenantId = await q.makeTenant();
  let handlers: Readonly<Record<string, Handler<never>>> = {};
  const now =
    (key: string): Handler =>
    (context) => {
      const handler = handlers[key] as Handler | undefined;
      if (handler === undefined) throw new Error(`this test wrote no handler for ${key}`);
      return handler(context);
    };
  const worker = await startTestWorker(q, {
    concurrency: 1,
    version,
    handlers: { task: now('task'), brief: now('brief'), poll: now('poll') },
  });
  const use: ScriptedWorker['use'] = (next) => {
    handlers = next;
  };
  return {
    q,
    tenantId,
    worker,
    use,
    runJob: async (key, handler, payload = {}) => {
      use({ [key]: handler });
      const [enqueued] = await q.queue.enqueue(tenantId, [{ definitionKey: key, payload }]);
      return enqueued?.id ?? '';
    },
    finalJob: (id) =>
      waitFor(
        async () => {
          const job = await q.job(id);
          return job['finished_at'] === null ? undefined : job;
        },
        { describe: `job ${id} to be final` },
      ),
    attempts: async (id) => {
      const { rows } = await q.superuser.query(
        'select status from millrace.job_attempts where job_id = $1 order by attempt_no',
        [id],
      );
      return rows.map((row) => row.status);
    },
    close: async () => {
      await worker.stop(0);
      await q.close();
    },
  };
}
