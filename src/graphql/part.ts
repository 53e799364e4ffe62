import type { ReachKind } from '../core/reach.ts';
import type { ReachAccess, ReadScope, RowCheck, TypeAccess } from './access/access-types.ts';
import type { LoaderDefinition } from './loader.ts';

/**
 * What a domain adds to the API beside its types, which register themselves with the builder when their
 * modules are loaded. What is not named here is closed: out of reach of every access token.
 */
export interface GraphqlPart {
  /** What a narrowed key needs for the fields of its types. */
  readonly typeAccess?: Readonly<Record<string, TypeAccess>>;
  /** What kinds of access tokens reach of it. */
  readonly reach?: Readonly<Partial<Record<ReachKind, Partial<ReachAccess>>>>;
  /** Types of which a row may be out of reach. */
  readonly rowChecks?: Readonly<Record<string, RowCheck>>;
  /** Types with global ids that are read by another scope than `member`. */
  readonly nodeScopes?: Readonly<Record<string, ReadScope>>;
  /** Types of subjects whose keys are ids of one of its types: `video` by `Video`. */
  readonly subjectTypes?: Readonly<Record<string, string>>;
  /** Rows that an access token may be limited to, by its kind. */
  readonly reachTargets?: Readonly<Partial<Record<ReachKind, LoaderDefinition<string, unknown>>>>;
}
