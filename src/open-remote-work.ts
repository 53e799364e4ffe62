import type { Config } from './config/config.ts';
import { failureJobsOf } from './core/definition.ts';
import type { RemoteWork } from './core/remote-work.ts';
import { WORK_CHANNEL } from './db/channels.ts';
import type { Database } from './db/database.ts';
import type { Listener } from './db/listener.ts';
import type { Notifier } from './db/notifier.ts';
import { type Domain, definitionsOf } from './domains/domain.ts';
import type { Pipelines } from './queue/pipelines.ts';
import { PostgresRemoteWork } from './queue/remote/remote-work.ts';
import { PostgresWorkerQueue } from './queue/worker-verbs.ts';
import type { Logger } from './telemetry/log.ts';

export interface OpenRemoteWorkOptions {
  readonly database: Database;
  readonly notifier: Notifier;
  readonly listener: Listener;
  readonly pipelines: Pipelines;
  readonly domains: readonly Domain[];
  readonly config: Pick<Config, 'maxResultBytes'>;
  readonly log: Logger;
}

/** The engine for workers that reach this server over the network; new work wakes those that wait. */
export function openRemoteWork(options: OpenRemoteWorkOptions): RemoteWork {
  const { database, notifier, listener, pipelines, domains, config, log } = options;
  const failureJobs = failureJobsOf(definitionsOf(domains));
  const remote = new PostgresRemoteWork(
    { db: database, notifier, pipelines, log },
    (definitions) =>
      new PostgresWorkerQueue(database, notifier, definitions, {
        pipelines,
        failureJobs,
        maxResultBytes: config.maxResultBytes,
      }),
  );
  listener.on(WORK_CHANNEL, () => remote.signal());
  // What was notified while the connection was away is lost.
  listener.onConnect(() => remote.signal());
  return remote;
}
