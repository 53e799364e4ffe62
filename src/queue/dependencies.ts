import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import type { Dependency, DependencyPolicy } from '../core/queue.ts';
import { isFinal } from '../core/states.ts';
import type { SystemCancelReason } from '../core/system-cancel-reasons.ts';
import type { Transaction } from '../db/database.ts';
import { insertDependencies } from '../db/sql/queue/insert-dependencies.ts';
import { lockParentDependencies, type ParentRow } from '../db/sql/queue/lock-parent-dependencies.ts';

/** Jobs that one job may wait for. */
export const MAX_PARENTS = 100;
const POLICIES: readonly DependencyPolicy[] = ['cancel', 'skip', 'run'];

/** One edge of a new job. */
export interface ParentEdge {
  readonly dependsOnId: string;
  readonly policy: DependencyPolicy;
}

/** How a new job begins among the jobs that it depends on. */
export interface ChildStart {
  /** Parents that have not ended: `jobs.pending_dependencies` of the new row. 0 for a doomed one. */
  readonly pendingDependencies: number;
  /**
   * Set when a parent has already ended badly: the row is inserted with this as `reason` and
   * `cancel_requested_at = clock_timestamp()`, and after the commit `PendingCancelFinisher.end()` ends it.
   */
  readonly pendingCancelReason: SystemCancelReason | null;
  /** What `insertEdges` writes for it. */
  readonly edges: readonly ParentEdge[];
}

/** The start of a job without parents. */
export const FREE: ChildStart = { pendingDependencies: 0, pendingCancelReason: null, edges: [] };

/** An edge between two jobs that exist, the child in this transaction. */
export interface Edge extends ParentEdge {
  readonly jobId: string;
}

/**
 * Holds the parents of jobs that are about to be inserted in this transaction, and says how each of them
 * begins. To be called before the INSERT; the edges follow it (`insertEdges`). A circle is impossible: only
 * jobs that already exist can be named.
 * @param children the `dependsOn` of each new job, in order
 * @returns one start a child, in order
 * @throws DomainError `InvalidArgument` naming `dependsOn[i]`; `details.childIndex` says of which child
 */
export async function lockParents(
  tx: Transaction,
  tenantId: string,
  children: readonly (readonly Dependency[])[],
): Promise<readonly ChildStart[]> {
  const starts = await tryLockParents(tx, tenantId, children);
  return starts.map((start) => {
    if (start instanceof DomainError) throw start;
    return start;
  });
}

/**
 * As `lockParents`, with the error of a child in its place instead of a throw: for bulk calls with a result
 * an item.
 */
export async function tryLockParents(
  tx: Transaction,
  tenantId: string,
  children: readonly (readonly Dependency[])[],
): Promise<readonly (ChildStart | DomainError)[]> {
  if (children.every((child) => child.length === 0)) return children.map(() => FREE);
  const problems = children.map(shapeProblem);
  const ids = new Set(
    children.flatMap((child, index) =>
      problems[index] === null ? child.map((edge) => edge.jobId.toLowerCase()) : [],
    ),
  );
  if (ids.size === 0) return problems.map((problem) => problem ?? FREE);
  const { rows } = await tx.query<ParentRow>(lockParentDependencies, [tenantId, [...ids]]);
  const parents = new Map(rows.map((row) => [row.id, row]));
  return children.map((child, index) => problems[index] ?? startOf(child, index, parents));
}

/** Writes the edges, after the INSERT of the jobs that wait. Nothing is sent for none. */
export async function insertEdges(tx: Transaction, tenantId: string, edges: readonly Edge[]): Promise<void> {
  if (edges.length === 0) return;
  await tx.query(insertDependencies, [
    tenantId,
    edges.map((edge) => edge.jobId),
    edges.map((edge) => edge.dependsOnId),
    edges.map((edge) => edge.policy),
  ]);
}

/** True for a parent that has ended and did not succeed. One that was skipped itself counts as success. */
function endedBadly(parent: ParentRow): boolean {
  return (
    isFinal(parent.status) &&
    parent.status !== 'succeeded' &&
    !(parent.status === 'canceled' && parent.reason === 'skipped')
  );
}

function startOf(
  child: readonly Dependency[],
  childIndex: number,
  parents: ReadonlyMap<string, ParentRow>,
): ChildStart | DomainError {
  if (child.length === 0) return FREE;
  const edges: ParentEdge[] = [];
  const bad = new Set<DependencyPolicy>();
  let pending = 0;
  for (const [index, { jobId, policy = 'cancel' }] of child.entries()) {
    const parent = parents.get(jobId.toLowerCase());
    // A job of another tenant is answered as one that does not exist.
    if (parent === undefined)
      return refused(childIndex, `dependsOn[${index}].jobId`, jobId, 'the id of a job of the same tenant');
    edges.push({ dependsOnId: parent.id, policy });
    if (!isFinal(parent.status)) pending++;
    else if (endedBadly(parent)) bad.add(policy);
  }
  const pendingCancelReason = bad.has('cancel') ? 'parent_failed' : bad.has('skip') ? 'skipped' : null;
  return { pendingDependencies: pendingCancelReason === null ? pending : 0, pendingCancelReason, edges };
}

/** What is wrong with one child's list before any parent is looked up, or null. */
function shapeProblem(child: readonly Dependency[], childIndex: number): DomainError | null {
  if (child.length > MAX_PARENTS)
    return refused(childIndex, 'dependsOn', child.length, `at most ${MAX_PARENTS} jobs`);
  const seen = new Set<string>();
  for (const [index, { jobId, policy = 'cancel' }] of child.entries()) {
    const field = `dependsOn[${index}]`;
    if (typeof jobId !== 'string' || !isUuid(jobId))
      return refused(childIndex, `${field}.jobId`, jobId, 'the id of a job of the same tenant');
    if (!POLICIES.includes(policy))
      return refused(childIndex, `${field}.policy`, policy, POLICIES.join(', '));
    if (seen.has(jobId.toLowerCase()))
      return refused(childIndex, `${field}.jobId`, jobId, 'each job at most once');
    seen.add(jobId.toLowerCase());
  }
  return null;
}

function refused(childIndex: number, field: string, value: unknown, allowed: string): DomainError {
  const shown = String(JSON.stringify(value)).slice(0, 100);
  return new DomainError('InvalidArgument', `${field} is ${shown}; allowed: ${allowed}.`, {
    field,
    allowed,
    childIndex,
  });
}
