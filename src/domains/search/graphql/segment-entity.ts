import type { EntityRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';

const EntityTypeEnum = builder.enumType('EntityType', {
  description: 'What was recognised in a text.',
  values: {
    MENTION: { value: 'mention', description: 'A handle: `@name`.' },
    HASHTAG: { value: 'hashtag', description: '`#tag`.' },
    URL: { value: 'url', description: 'An address.' },
    EMOJI: { value: 'emoji', description: 'An emoji.' },
    NUMBER: {
      value: 'number',
      description: 'A price, telephone number, count, percentage or any other number.',
    },
  } as const,
});

const NumberKindEnum = builder.enumType('NumberKind', {
  description: 'What a number is.',
  values: {
    PRICE: { value: 'price', description: 'An amount of money.' },
    PHONE: { value: 'phone', description: 'A telephone number.' },
    COUNT: { value: 'count', description: 'A count: `1.2K`.' },
    PERCENT: { value: 'percent', description: 'A percentage.' },
    PLAIN: { value: 'plain', description: 'Any other.' },
  } as const,
});

export const SegmentEntityType = builder.objectRef<EntityRow>('SegmentEntity').implement({
  description: 'Something that was recognised in a text.',
  fields: (t) => ({
    type: t.field({
      type: EntityTypeEnum,
      description: 'What it is.',
      resolve: ({ entityType }) => entityType as typeof EntityTypeEnum.$inferType,
    }),
    numberKind: t.field({
      type: NumberKindEnum,
      nullable: true,
      description: 'For a number: its kind.',
      resolve: ({ subtype }) => subtype as typeof NumberKindEnum.$inferType | null,
    }),
    value: t.exposeString('value', { description: 'As it stands in the text.' }),
    normalizedValue: t.exposeString('normalizedValue', { description: 'As it is compared.' }),
    domain: t.exposeString('domain', { nullable: true, description: 'For a URL: its domain.' }),
    amount: t.float({
      nullable: true,
      description: 'For a number: the amount.',
      resolve: ({ amount }) => amount?.toNumber() ?? null,
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'For a price: its currency, ISO 4217.',
    }),
  }),
});
