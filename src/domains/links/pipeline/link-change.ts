/** What the end of one of its jobs, or a retry of it, does to a link. */
export type LinkChange = { readonly kind: 'link'; readonly linkId: string } & (
  | { readonly status: 'pending' | 'enriching' | 'done' }
  | { readonly status: 'failed'; readonly error: string }
);
