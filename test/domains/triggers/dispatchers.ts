import type { Database } from '../../../src/db/database.ts';
import type { Notifier } from '../../../src/db/notifier.ts';
import type { DispatchDeps } from '../../../src/domains/triggers/dispatch/deps.ts';
import { PayloadValidator } from '../../../src/jobs/payload-validator.ts';
import { PostgresProducerQueue } from '../../../src/queue/producer-verbs.ts';
import { testPipelines } from '../../support/pipelines.ts';
import { openDatabase, silentLog } from '../../support/queue.ts';

/**
 * What turns events and ticks into jobs, as several leaders at once would, each with connections of its own.
 */
export interface Dispatchers {
  readonly first: DispatchDeps;
  /**
   * All of them at once, until none finds more. A step that fails (its connection is killed) is done again.
   */
  drain(step: (deps: DispatchDeps) => Promise<number>): Promise<void>;
  close(): Promise<void>;
}

export function openDispatchers(url: string, count = 5): Dispatchers {
  const opened = Array.from({ length: count }, () => openDatabase(url, 2));
  const deps = opened.map(dispatchDeps);
  return {
    first: deps[0] as DispatchDeps,
    drain: async (step) => {
      await Promise.all(
        deps.map(async (each) => {
          for (let failures = 0; ; ) {
            try {
              if ((await step(each)) === 0) return;
            } catch (error) {
              if (++failures > 1_000) throw error;
            }
          }
        }),
      );
    },
    close: async () => {
      await Promise.all(opened.map((database) => database.close()));
    },
  };
}

/** Those who wait for work are notified with the commit of the jobs: nothing is left to send. */
const SILENT: Notifier = {
  sentCount: 0,
  lostCount: 0,
  notify: () => undefined,
  takeTurn: () => false,
  close: async () => undefined,
};

export function dispatchDeps(db: Database): DispatchDeps {
  const validator = new PayloadValidator();
  return {
    db,
    queue: new PostgresProducerQueue(db, SILENT, { pipelines: testPipelines }),
    checkPayload: (_tenant, definition, payload) => validator.checkText(definition, payload),
    log: silentLog,
  };
}
