import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { readLinkText } from '../use-cases/read-link-text.ts';
import { LinkStatusEnum, LinkTextKindEnum } from './enums.ts';
import { linkLoader } from './loaders.ts';
import { LinkType } from './refs.ts';

const LinkEntityType = builder
  .objectRef<{ readonly name: string; readonly kind: string }>('LinkEntity')
  .implement({
    description: 'Something that a link’s text names.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'As the text has it.' }),
      kind: t.exposeString('kind', {
        description: '`person`, `organization`, `place`, `product`, `event`, `work` or `other`.',
      }),
    }),
  });

const LinkTextSegment = builder
  .objectRef<{ readonly startMs: number; readonly endMs: number | null; readonly text: string }>(
    'LinkTextSegment',
  )
  .implement({
    description: 'A part of a transcript.',
    fields: (t) => ({
      startMs: t.exposeInt('startMs', { description: 'Milliseconds from the start of the video.' }),
      endMs: t.exposeInt('endMs', { nullable: true, description: 'Where it ends; null where nobody says.' }),
      text: t.exposeString('text', { description: 'What is said.' }),
    }),
  });

const LinkTextType = builder
  .objectRef<NonNullable<Awaited<ReturnType<typeof readLinkText>>>>('LinkText')
  .implement({
    description: 'The text of a link.',
    fields: (t) => ({
      text: t.exposeString('text', { description: 'All of it, at most 1,000,000 characters.' }),
      segments: t.field({
        type: [LinkTextSegment],
        description: 'Its parts with their times; none where the source has no times.',
        resolve: ({ segments }) => [...segments],
      }),
    }),
  });

builder.node(LinkType, {
  description: 'A page or a video that is read, summed up and found by meaning.',
  id: { resolve: (link) => link.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loaderOf(context, linkLoader).load(id)),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'The plain key, as SQL and logs have it.' }),
    url: t.exposeString('url', { description: 'What was submitted.' }),
    status: t.field({
      type: LinkStatusEnum,
      description: 'Current status.',
      resolve: ({ status }) => status as typeof LinkStatusEnum.$inferType,
    }),
    processingError: t.exposeString('processingError', { nullable: true, description: 'Why it failed.' }),
    sourceRef: t.exposeString('sourceRef', { nullable: true, description: 'The submitter’s own id.' }),
    canonicalUrl: t.exposeString('canonicalUrl', {
      nullable: true,
      description: 'The address that the page calls its own, or where it was found after redirects.',
    }),
    title: t.exposeString('title', { nullable: true, description: 'Its title.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What the page says it is about.',
    }),
    author: t.exposeString('author', { nullable: true, description: 'Who made it.' }),
    siteName: t.exposeString('siteName', { nullable: true, description: 'Where it is.' }),
    imageUrl: t.exposeString('imageUrl', {
      nullable: true,
      description: 'Its picture, at the page’s own server.',
    }),
    language: t.exposeString('language', { nullable: true, description: 'As the page says: `en`, `en-US`.' }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was published.',
    }),
    durationSeconds: t.exposeInt('durationSeconds', {
      nullable: true,
      description: 'How long the video is.',
    }),
    textKind: t.field({
      type: LinkTextKindEnum,
      nullable: true,
      description: 'What its text is; null where it has none.',
      resolve: ({ textKind }) => textKind as typeof LinkTextKindEnum.$inferType | null,
    }),
    textLength: t.exposeInt('textLength', { nullable: true, description: 'Characters of its text.' }),
    content: t.field({
      type: LinkTextType,
      nullable: true,
      complexity: 10,
      description: 'Its text; null where it has none.',
      resolve: ({ id }, _args, { actor, operation }) => readLinkText(operation.transaction, actor, id),
    }),
    summary: t.exposeString('summary', { nullable: true, description: 'A few sentences about it.' }),
    topics: t.exposeStringList('topics', { description: 'What it is about.' }),
    entities: t.field({
      type: [LinkEntityType],
      description: 'What it names.',
      resolve: ({ entities }) =>
        Array.isArray(entities) ? (entities as { name: string; kind: string }[]) : [],
    }),
    scrapedBy: t.exposeString('scrapedBy', {
      nullable: true,
      description: '`page`, or the provider’s platform.',
    }),
    enrichedBy: t.exposeString('enrichedBy', { nullable: true, description: 'The model that summed it up.' }),
    embeddedBy: t.exposeString('embeddedBy', { nullable: true, description: 'The model of its vector.' }),
    scrapedAt: t.expose('scrapedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was read last.',
    }),
    enrichedAt: t.expose('enrichedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was enriched last.',
    }),
    createdBy: t.exposeString('createdBy', {
      nullable: true,
      description: 'Who submitted it: `user:<sub>`, `key:<id>`, `sql:<login>`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was submitted.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    version: t.expose('version', { type: 'BigInt', description: 'Grows with each change of the row.' }),
  }),
});
