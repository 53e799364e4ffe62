import { defineJob } from '../../../core/definition.ts';
import { ENRICH_POLICY } from '../../../core/policies/presets.ts';
import { LINK_PAYLOAD } from './scrape.ts';

/** Sums up what was scraped, and makes it findable by meaning. */
export const enrich = defineJob({
  key: 'enrich',
  description: 'Summary, topics, entities and embedding of a link’s text.',
  payload: LINK_PAYLOAD,
  ...ENRICH_POLICY,
  // A provider may ask to wait again and again.
  snoozeDeadlineSeconds: 24 * 3600,
  enqueueRole: 'system',
});
