import type { Reach, ReachKind } from '../../core/reach.ts';
import type { Scope } from '../../core/scopes.ts';
import type { LoaderDefinition } from '../loader.ts';

/** What a narrowed key needs for the fields of a type: one of these. */
export interface TypeAccess {
  readonly anyOf: readonly Scope[];
  /**
   * Fields that every key may see: what says which one it is, and of what it has just written how it stands.
   */
  readonly open?: readonly string[];
}

/** Fields of a type: these, or all that it has and will have. */
type Fields = readonly string[] | 'all';

export interface ReachAccess {
  /** Root fields, as `Query.job`. */
  readonly roots: readonly string[];
  readonly types: Readonly<Record<string, Fields>>;
}

/** Whether a row is within reach. */
export type RowCheck = (reach: Reach, row: unknown) => boolean;

/** What fields ask for by `authScopes`. */
export type ReadScope = 'member' | 'videos';

/**
 * What credentials may see of the schema: the engine's own types and those of the domains that it was built
 * of.
 */
export interface Access {
  readonly types: Readonly<Record<string, TypeAccess>>;
  readonly reach: Readonly<Record<ReachKind, ReachAccess>>;
  readonly rowChecks: Readonly<Record<string, RowCheck>>;
  readonly nodeScopes: Readonly<Record<string, ReadScope>>;
  readonly subjectTypes: Readonly<Record<string, string>>;
  readonly reachTargets: Readonly<Partial<Record<ReachKind, LoaderDefinition<string, unknown>>>>;
}
