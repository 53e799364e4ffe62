/** What a search restricts links to; absent: all. */
export interface LinkConditions {
  /** A site's name, or a host with or without `www.`. */
  readonly site?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly textKind?: 'transcript' | 'article' | null | undefined;
  readonly createdFrom?: Date | null | undefined;
  readonly createdTo?: Date | null | undefined;
}

/** What to look for. */
export interface NearQuery {
  readonly tenantId: string;
  /** Vectors of this model alone are looked at. */
  readonly model: string;
  /** The query's vector, of length 1. */
  readonly vector: Float32Array;
  readonly limit: number;
  readonly conditions: LinkConditions;
}

/** A link and how near its meaning is. */
export interface NearLink {
  readonly linkId: string;
  /** The cosine: 1 for the same direction, 0 for nothing in common. */
  readonly similarity: number;
}

/** Finds the nearest vectors; a contract that holds with pgvector and without. */
export interface VectorIndex {
  /** The nearest links, nearest first. */
  nearest(query: NearQuery): Promise<readonly NearLink[]>;
}

/** The parameters that `matchesFilter` takes, with whether there are any before them. */
export function conditionParameters(conditions: LinkConditions): readonly unknown[] {
  const { site = null, language = null, textKind = null, createdFrom = null, createdTo = null } = conditions;
  const values = [site, language, textKind, createdFrom, createdTo];
  return [values.some((value) => value !== null), ...values];
}
