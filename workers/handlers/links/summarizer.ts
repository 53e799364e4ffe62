import type { LinkEntity } from '../../../src/domains/links/stores/contract.ts';

/** What is summed up. */
export interface SummaryInput {
  readonly title: string | null;
  readonly description: string | null;
  readonly text: string;
}

export interface Summary {
  readonly summary: string;
  readonly topics: readonly string[];
  readonly entities: readonly LinkEntity[];
}

/** Sums up a text. */
export interface Summarizer {
  /** Kept with what it makes. */
  readonly name: string;
  /** @throws ProviderBusy when the service asks to wait; PermanentError `ProviderRefused` */
  summarize(input: SummaryInput, signal: AbortSignal): Promise<Summary>;
}
