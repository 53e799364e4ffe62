import { type Duty, inBatches, type Turn } from '../../src/core/duty.ts';
import type { DueJobs, MaintenanceQueue } from '../../src/core/maintenance-queue.ts';

export interface RetentionDeps {
  readonly queue: Pick<MaintenanceQueue, 'dueForDeletion' | 'deleteDue' | 'rememberLooked'>;
  /** For definitions and tenants that say nothing themselves; null keeps their jobs forever. */
  readonly defaultSeconds: number | null;
  /** 60,000 by default. */
  readonly everyMs?: number;
  /** Jobs that one statement deletes at most; 1,000 by default. */
  readonly batch?: number;
  /**
   * Called at each turn with the seconds for which the oldest job that may be due has been so; 0: none is.
   */
  readonly onLag?: (seconds: number) => void;
}

/**
 * Deletions may take half of one connection's time: at a fifth, a busy installation ended more jobs than it
 * deleted.
 */
const REST_PER_WORK = 1;
/** Further behind than this it may take four fifths: what is not deleted costs every vacuum. */
const FAR_BEHIND_SECONDS = 86_400;
const REST_FAR_BEHIND = 0.25;
/** Time for one group, so that a tenant with millions of due jobs does not hold up the others. */
const GROUP_BUDGET_MS = 2_000;

/**
 * Deletes finished jobs when their time is up: as the definition says, else the tenant, else the
 * configuration. Up to where a tenant's jobs of one retention were looked through is stored, so that jobs
 * that are kept longer are not read again, by no leader.
 */
export function retentionDuty(deps: RetentionDeps): Duty {
  return {
    name: 'retention',
    everyMs: deps.everyMs ?? 60_000,
    run: async (turn) => {
      let due = await deps.queue.dueForDeletion(deps.defaultSeconds);
      deps.onLag?.(Math.max(0, ...due.map(({ lagSeconds }) => lagSeconds)));
      let jobs = 0;
      while (due.length > 0 && turn.goOn()) {
        const left: DueJobs[] = [];
        for (const group of due) {
          const { deletedCount, rest } = await deleteSome(deps, group, turn);
          jobs += deletedCount;
          if (rest !== null) left.push(rest);
        }
        due = left;
      }
      return { jobs };
    },
  };
}

/** @returns what is left of them; null when all were looked through */
async function deleteSome(
  { queue, batch = 1_000 }: RetentionDeps,
  group: DueJobs,
  turn: Turn,
): Promise<{ readonly deletedCount: number; readonly rest: DueJobs | null }> {
  let rest = group;
  let isDone = false;
  const work = async (): Promise<{ done: number; more: boolean }> => {
    const deletion = await queue.deleteDue(rest, batch);
    ({ rest, isDone } = deletion);
    return { done: deletion.deletedCount, more: !isDone };
  };
  const restPerWork = group.lagSeconds > FAR_BEHIND_SECONDS ? REST_FAR_BEHIND : REST_PER_WORK;
  const deletedCount = await inBatches(turn, work, { restPerWork, budgetMs: GROUP_BUDGET_MS });
  await queue.rememberLooked(rest);
  return { deletedCount, rest: isDone ? null : rest };
}
