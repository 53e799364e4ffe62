import type { Actor } from '../../../core/actor.ts';
import { refused } from '../../../operations/ranges.ts';
import type { RemoteDeps } from './deps.ts';
import { tenantServedBy } from './lease.ts';

const NAME = /^[\w.:@-]{1,100}$/;

/**
 * The worker's id in rows and lists: what it calls itself, below its credential, so that nobody takes
 * another's.
 * @throws DomainError `InvalidArgument`
 */
export function remoteWorkerId(actor: Pick<Actor, 'name' | 'tenantId'>, worker: string): string {
  if (!NAME.test(worker))
    throw refused('worker', JSON.stringify(worker.slice(0, 120)), '1 to 100 of a-z, A-Z, 0-9, _, -, ., :, @');
  return `remote:${actor.name}:${worker}`.slice(0, 250);
}

/** What a worker says of itself; absent: as before. */
export interface RemoteWorkerFacts {
  readonly worker: string;
  readonly version?: string | null | undefined;
  readonly definitionKeys?: readonly string[];
  readonly concurrency?: number | null | undefined;
  readonly runningCount: number;
}

/** Notes that the worker lives: `workers` shows it from its first claim on. */
export async function noteRemoteWorker(
  { remote }: Pick<RemoteDeps, 'remote'>,
  actor: Actor,
  { worker, ...facts }: RemoteWorkerFacts,
): Promise<void> {
  await remote.noteRemoteWorker({
    ...facts,
    workerId: remoteWorkerId(actor, worker),
    name: worker,
    tenantId: tenantServedBy(actor),
  });
}
