import type { Scope } from './scopes.ts';

/** A kind of file that jobs of a domain make, as `defineDomain` takes it. */
export interface ArtifactKind {
  /** As handlers file it: `poster`. */
  readonly kind: string;
  /** Definitions whose jobs make it. */
  readonly definitionKeys: readonly string[];
  /** One of them in words: `Still picture`. */
  readonly label: string;
  /** What a narrowed key needs to open it, beside the scope that shows the job. */
  readonly scope: Scope;
  /** A piece that another file names: listed only where it is asked for by its kind. */
  readonly isPiece?: boolean;
  /** It names others relative to itself, which its URL opens, too: a playlist and what lies in its folder. */
  readonly opensFolder?: boolean;
  /**
   * How long it plays, by what its handler noted about it; null where nobody knows. Omitted for what is not
   * played.
   */
  readonly lengthMs?: (metadata: Readonly<Record<string, unknown>>) => number | null;
}

/**
 * What domains say about the files that jobs make. Files of other kinds, as programs of users make them, need
 * no more than the job.
 */
export class ArtifactKinds {
  readonly #kinds = new Map<string, ArtifactKind>();
  /** Kinds of pieces: a list omits them. */
  readonly pieces: readonly string[];

  constructor(kinds: readonly ArtifactKind[]) {
    for (const kind of kinds)
      for (const key of kind.definitionKeys) this.#kinds.set(`${key} ${kind.kind}`, kind);
    this.pieces = [...new Set(kinds.filter(({ isPiece }) => isPiece === true).map(({ kind }) => kind))];
  }

  /** What is said of a kind of a definition's; null where nothing is. */
  of(definitionKey: string, kind: string): ArtifactKind | null {
    return this.#kinds.get(`${definitionKey} ${kind}`) ?? null;
  }
}
