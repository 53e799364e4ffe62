import { openSession } from '../../src/db/session.ts';
import type { Statement } from '../../src/db/statement.ts';
import { connectSuperuser } from './superuser.ts';

interface Bound {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

export interface Plan {
  readonly 'Node Type': string;
  readonly 'Parallel Aware'?: boolean;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Plan[];
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

/**
 * The plan as the role that runs the statement has it: for its values, or for any. @param options of EXPLAIN,
 * each with its comma
 */
export async function planOf(
  databaseUrl: string,
  { statement: { text }, values }: Bound,
  role: 'api' | 'worker',
  tenantId: string,
  kind: 'custom' | 'generic',
  options = '',
): Promise<Plan> {
  const client = await connectSuperuser(databaseUrl);
  try {
    await openSession(client, {
      enable_seqscan: 'off',
      ...(kind === 'generic' && { plan_cache_mode: 'force_generic_plan' }),
    });
    await client.query(
      `select set_config('role', 'millrace_${role}', false), set_config('millrace.tenant_id', '${tenantId}', false)`,
    );
    if (kind === 'generic') await client.query(`prepare asked as ${text}`);
    const { rows } =
      kind === 'generic'
        ? await client.query(
            `explain (${options}format json) execute asked (${values.map(literal).join(', ')})`,
          )
        : await client.query(`explain (${options}format json) ${text}`, [...values]);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.end();
  }
}

/** Of a plan that was run with its buffers counted. */
export function blocksOf(plan: Plan): number {
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/**
 * What is wrong with a plan. @param crosses true for what reads across tenants on purpose: it still needs a
 * condition for each index but that of what is running
 */
export function faultsOf(plan: Plan, crosses = false): string[] {
  return nodesOf(plan).flatMap((node) => {
    const at = `${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name'] ?? '-'} (${node['Index Cond'] ?? 'no condition'})`;
    const isLarge = /^(jobs|job_progress|job_tombstones|tenant_jobs|videos|links|link_vectors)/.test(
      node['Relation Name'] ?? node['Index Name'] ?? '',
    );
    if (
      node['Node Type'] === 'Seq Scan' ||
      node['Parallel Aware'] === true ||
      /Gather/.test(node['Node Type'])
    )
      return [at];
    if (!isLarge || !/Index/.test(node['Node Type'])) return [];
    const condition = node['Index Cond'] ?? '';
    // As long as what the workers run at the moment, however many jobs there are.
    const isShort = node['Index Name'] === 'jobs_running_idx';
    const isOwn = crosses ? condition !== '' || isShort : /tenant_id = |\b(job_|link_)?id = /.test(condition);
    return isOwn ? [] : [at];
  });
}

/**
 * Sorts of all that a tenant’s index has, where reading it in its order would have done; those of one time’s
 * jobs are an Incremental Sort.
 */
export function sortedWhole(plan: Plan, relation: string): string[] {
  return nodesOf(plan)
    .filter(
      (node) =>
        node['Node Type'] === 'Sort' && nodesOf(node).some((below) => below['Relation Name'] === relation),
    )
    .map((node) => JSON.stringify(node));
}
