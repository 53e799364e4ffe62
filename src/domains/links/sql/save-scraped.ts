import { statement } from '../../../db/statement.ts';

/** What `scrape` found out about tenant $1's link $2. Locks the row. Index: links_pkey. */
export const saveScraped = statement(
  'save_scraped',
  `
update millrace.links
set canonical_url = $3, title = $4, description = $5, author = $6, site_name = $7, image_url = $8, language = $9,
    published_at = $10::timestamptz, duration_seconds = $11::integer, text_kind = $12, text_length = $13::integer,
    content_hash = $14, scraped_by = $15, scraped_at = clock_timestamp(),
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
