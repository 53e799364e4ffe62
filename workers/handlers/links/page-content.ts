/** What a page says about itself, and where it links what else there is. */
export interface PageContent {
  readonly canonicalUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly siteName: string | null;
  readonly imageUrl: string | null;
  readonly language: string | null;
  /** ISO 8601. */
  readonly publishedAt: string | null;
  readonly durationSeconds: number | null;
  /** The text of its article; null where it has none. */
  readonly article: string | null;
  /** A transcript within the page itself. */
  readonly transcript: string | null;
  readonly oembedUrl: string | null;
  /** Files of captions, the page's own language first. */
  readonly captionUrls: readonly string[];
}

/** What the thread that reads a page is given. */
export interface PageOrder {
  readonly html: string;
  readonly url: string;
}

export type PageAnswer =
  | { readonly kind: 'content'; readonly content: PageContent }
  | { readonly kind: 'failed'; readonly message: string };
