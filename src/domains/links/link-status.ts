/** Where a link stands, in this order; `failed` from any of them. */
export const LINK_STATUSES = ['pending', 'scraping', 'enriching', 'done', 'failed'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];
