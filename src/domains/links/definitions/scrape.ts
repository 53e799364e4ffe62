import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';
import { SCRAPE_POLICY } from '../../../core/policies/presets.ts';

/** What the payload of both stages is. */
export const LINK_PAYLOAD = Type.Object(
  { link_id: Type.String({ format: 'uuid', description: 'The row of `millrace.links`.' }) },
  { additionalProperties: false },
);

/** Reads what is behind a link: its text and what it says about itself. */
export const scrape = defineJob({
  key: 'scrape',
  description: 'Reads the text and the metadata of a link.',
  payload: LINK_PAYLOAD,
  ...SCRAPE_POLICY,
  // Its turn at a host may be a while away when many links point to it.
  snoozeDeadlineSeconds: 24 * 3600,
  // What it writes is the row that its payload names: only the insert of that row may say which.
  enqueueRole: 'system',
});
