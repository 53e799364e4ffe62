import { Type } from '../../../rest/schema.ts';
import { LINK_STATUSES } from '../link-status.ts';
import { SEARCH_MODES } from '../use-cases/search-links.ts';

export const TEXT_KINDS = ['transcript', 'article'] as const;

const EntitySchema = Type.Object(
  {
    name: Type.String({ description: 'As the text has it.' }),
    kind: Type.String({
      description: '`person`, `organization`, `place`, `product`, `event`, `work` or `other`.',
    }),
  },
  { title: 'LinkEntity', description: 'Something that a link’s text names.', additionalProperties: false },
);

export const LinkSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    url: Type.String({ description: 'What was submitted.' }),
    status: Type.Words(LINK_STATUSES, { description: 'Current status.' }),
    processing_error: Type.NullableString({ description: 'Why it failed.' }),
    source_ref: Type.NullableString({ description: 'The submitter’s own id.' }),
    canonical_url: Type.NullableString({
      description: 'The address that the page calls its own, or where it was found after redirects.',
    }),
    title: Type.NullableString({ description: 'Its title.' }),
    description: Type.NullableString({ description: 'What the page says it is about.' }),
    author: Type.NullableString({ description: 'Who made it.' }),
    site_name: Type.NullableString({ description: 'Where it is.' }),
    image_url: Type.NullableString({ description: 'Its picture, at the page’s own server.' }),
    language: Type.NullableString({ description: 'As the page says: `en`, `en-US`.' }),
    published_at: Type.NullableTime({ description: 'When it was published.' }),
    duration_seconds: Type.NullableInteger({ description: 'How long the video is.' }),
    text_kind: Type.NullableString({
      description: '`transcript` or `article`; null where it has no text.',
    }),
    text_length: Type.NullableInteger({ description: 'Characters of its text.' }),
    summary: Type.NullableString({ description: 'A few sentences about it.' }),
    topics: Type.Array(Type.String(), { description: 'What it is about.' }),
    entities: Type.Array(EntitySchema, { description: 'What it names.' }),
    scraped_by: Type.NullableString({ description: '`page`, or the provider’s platform.' }),
    enriched_by: Type.NullableString({ description: 'The model that summed it up.' }),
    embedded_by: Type.NullableString({ description: 'The model of its vector.' }),
    scraped_at: Type.NullableTime({ description: 'When it was read last.' }),
    enriched_at: Type.NullableTime({ description: 'When it was enriched last.' }),
    created_by: Type.NullableString({ description: 'Who submitted it.' }),
    created_at: Type.Time({ description: 'When it was submitted.' }),
    updated_at: Type.Time({ description: 'When it last changed.' }),
    version: Type.String({ description: 'Grows with each change; the same as the ETag.' }),
  },
  {
    title: 'Link',
    description: 'A page or a video that is read, summed up and found by meaning.',
    additionalProperties: false,
  },
);

export const SubmitLinkSchema = Type.Object(
  {
    url: Type.String({
      description: 'An `http` or `https` URL of a public address, at most 4096 characters.',
    }),
    source_ref: Type.Optional(
      Type.NullableString({
        description:
          'An id of your own, at most 1024 characters: the same one gives the same link, however often it is submitted.',
      }),
    ),
  },
  { title: 'SubmitLink', additionalProperties: false },
);

const SegmentSchema = Type.Object(
  {
    start_ms: Type.Integer({ description: 'Milliseconds from the start of the video.' }),
    end_ms: Type.NullableInteger({ description: 'Where it ends; null where nobody says.' }),
    text: Type.String({ description: 'What is said.' }),
  },
  { title: 'LinkTextSegment', additionalProperties: false },
);

export const LinkTextSchema = Type.Object(
  {
    text: Type.String({ description: 'All of it, at most 1,000,000 characters.' }),
    segments: Type.Array(SegmentSchema, {
      description: 'Its parts with their times; none where the source has no times.',
    }),
  },
  { title: 'LinkText', description: 'The text of a link.', additionalProperties: false },
);

const LinkHitSchema = Type.Object(
  {
    link: LinkSchema,
    score: Type.Number({
      description:
        '0 to 1, by its places in both lists: the mean of 61 / (60 + place); 1 for the first in both.',
    }),
    meaning: Type.NullableNumber({
      description: 'The cosine of its meaning and the query’s; null where it is not among the 100 nearest.',
    }),
    meaning_place: Type.NullableInteger({ description: 'Its place among the nearest, from 1.' }),
    words: Type.NullableNumber({
      description: 'How well the words fit, 0 to 1; null where they are not all in it.',
    }),
    words_place: Type.NullableInteger({ description: 'Its place among those, from 1.' }),
  },
  { title: 'LinkHit', description: 'A link, and why it stands where it does.', additionalProperties: false },
);

export const LinkSearchSchema = Type.Object(
  {
    data: Type.Array(LinkHitSchema, { description: 'The best first.' }),
    mode: Type.Words(SEARCH_MODES, { description: 'How it was searched.' }),
    model: Type.NullableString({
      description: 'Whose vectors were compared; null where meaning was not asked, or could not be.',
    }),
    meaning_problem: Type.NullableString({
      description: 'Why meaning could not be asked, though it was to be.',
    }),
  },
  { title: 'LinkSearch', additionalProperties: false },
);

export const SimilarLinksSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { link: LinkSchema, similarity: Type.Number({ description: 'The cosine of their meanings.' }) },
        { title: 'SimilarLink', additionalProperties: false },
      ),
      { description: 'The nearest first; none while the link has no vector.' },
    ),
  },
  { title: 'SimilarLinks', additionalProperties: false },
);
