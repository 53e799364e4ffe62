import type { Embedder } from '../../../src/domains/links/embedding/embedder.ts';
import type { HostStore, LinkStore } from '../../../src/domains/links/stores/contract.ts';
import type { Outgoing } from '../../../src/outgoing/outgoing.ts';
import type { Summarizer } from './summarizer.ts';

// What the handlers of links have beside what every handler has.

/** What `scrape` is provided with. */
export interface ScrapeOwn {
  readonly link: LinkStore;
  readonly hosts: HostStore;
  /** Requests to hosts that tenants name. */
  readonly outgoing: Outgoing;
  readonly settings: ScrapeSettings;
}

export interface ScrapeSettings {
  /** Null: pages are read for all links. */
  readonly api: { readonly url: string; readonly key: string | null } | null;
  readonly hostDelayMs: number;
  readonly robots: boolean;
  /** What robots.txt calls us. */
  readonly robotName: string;
}

/** What `enrich` is provided with. */
export interface EnrichOwn {
  readonly link: LinkStore;
  readonly embedder: Embedder;
  readonly summarizer: Summarizer;
}
