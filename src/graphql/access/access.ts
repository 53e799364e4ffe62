import type { ReachKind } from '../../core/reach.ts';
import type { GraphqlPart } from '../part.ts';
import type { Access, ReachAccess } from './access-types.ts';
import { ROW_CHECKS } from './reach-rows.ts';
import { REACH_ACCESS } from './reach-table.ts';
import { TYPE_ACCESS } from './type-scopes.ts';

/** Joins what the domains say with the engine's own. */
export function accessOf(parts: readonly GraphqlPart[]): Access {
  const kinds = Object.keys(REACH_ACCESS) as ReachKind[];
  const reachOf = (kind: ReachKind): ReachAccess => {
    const all = [REACH_ACCESS[kind], ...parts.map(({ reach }) => reach?.[kind] ?? {})];
    return {
      roots: all.flatMap(({ roots = [] }) => roots),
      types: joined(all.map(({ types }) => types)),
    };
  };
  return {
    types: joined([TYPE_ACCESS, ...parts.map(({ typeAccess }) => typeAccess)]),
    reach: Object.fromEntries(kinds.map((kind) => [kind, reachOf(kind)])) as Access['reach'],
    rowChecks: joined([ROW_CHECKS, ...parts.map(({ rowChecks }) => rowChecks)]),
    nodeScopes: joined(parts.map(({ nodeScopes }) => nodeScopes)),
    subjectTypes: joined(parts.map(({ subjectTypes }) => subjectTypes)),
    reachTargets: joined(parts.map(({ reachTargets }) => reachTargets)),
  };
}

function joined<Value>(
  records: readonly (Readonly<Record<string, Value>> | undefined)[],
): Readonly<Record<string, Value>> {
  return Object.assign({}, ...records);
}
