/** What a stage has of its link when it begins. */
export interface BegunLink {
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly text: string | null;
  /** The hash of what `enrich` reads; null before `scrape` has ended. */
  readonly contentHash: string | null;
  /** The hash of what was enriched last, and what enriched it. */
  readonly enrichedHash: string | null;
  readonly enrichedBy: string | null;
  readonly embeddedBy: string | null;
}

/** A part of a transcript. */
export interface TextSegment {
  readonly startMs: number;
  readonly endMs: number | null;
  readonly text: string;
}

/** What was found out about a link. Texts longer than their columns are cut. */
export interface ScrapedLink {
  readonly canonicalUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly siteName: string | null;
  readonly imageUrl: string | null;
  readonly language: string | null;
  readonly publishedAt: Date | null;
  readonly durationSeconds: number | null;
  readonly text: string | null;
  readonly textKind: 'transcript' | 'article' | null;
  readonly segments: readonly TextSegment[] | null;
  /** What found it: `page`, or the name of a provider. */
  readonly scrapedBy: string;
}

/** Something that a text names. */
export interface LinkEntity {
  readonly name: string;
  readonly kind: string;
}

/** What was made of a link's text. */
export interface EnrichedLink {
  readonly summary: string | null;
  readonly topics: readonly string[];
  readonly entities: readonly LinkEntity[];
  readonly contentHash: string;
  readonly enrichedBy: string;
  readonly embedding: { readonly model: string; readonly vector: Float32Array } | null;
}

/** The row of one job's link. Writes commit only while the run has its lease. */
export interface LinkStore {
  /**
   * Shows that a stage has begun.
   * @returns null when the link was deleted
   * @throws DomainError `LostLease`
   */
  begin(status: 'scraping' | 'enriching'): Promise<BegunLink | null>;
  /** @throws DomainError `LostLease` */
  saveScraped(scraped: ScrapedLink): Promise<{ readonly contentHash: string }>;
  /** @throws DomainError `LostLease` */
  saveEnriched(enriched: EnrichedLink): Promise<void>;
}

/** Turns at hosts, and what their robots.txt says, shared by all workers. */
export interface HostStore {
  /**
   * Takes the next turn at a host, unless it is too far away.
   * @returns how long to wait for it; `isTaken` false: come back after that time
   */
  takeTurn(
    host: string,
    everyMs: number,
    atMostMs: number,
  ): Promise<{ readonly isTaken: boolean; readonly waitMs: number }>;
  /** The robots.txt of a host; undefined when nobody has read it within a day, null where there is none. */
  findRobots(host: string): Promise<string | null | undefined>;
  saveRobots(host: string, robots: string | null): Promise<void>;
}
