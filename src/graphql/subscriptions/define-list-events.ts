import type { ObjectRef } from '@pothos/core';
import type { EntityFeedEvent } from '../../events/entity-list.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { loaderOf } from '../context.ts';
import { encodeGlobalId } from '../ids.ts';
import type { LoaderDefinition } from '../loader.ts';
import { CURSOR, MARK_TYPES } from '../types/feed-marks.ts';

type EventOf<Kind extends EntityFeedEvent['kind']> = Extract<EntityFeedEvent, { kind: Kind }>;

/** A type of which lists are followed. */
export interface ListedType<Row> {
  /** `Video`, with which the names of all types of its stream begin. */
  readonly typeName: string;
  readonly type: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Row>;
  readonly loader: LoaderDefinition<string, Row | null>;
}

/**
 * The types of what a list sends: `VideoUpdated` with the field `video`, `VideoLeft` and `VideoRemoved` with
 * `videoId`, and the marks.
 */
export function defineListEvents<Row extends object>(
  listed: ListedType<Row>,
  { name: many, entity: one }: { readonly name: string; readonly entity: string },
) {
  // Which row it is matters to nobody here.
  const { typeName, type, loader } = listed as unknown as ListedType<object>;
  const updated = builder.objectRef<EventOf<'in'>>(`${typeName}Updated`).implement({
    description: `A ${one} that matches, as it is now.`,
    fields: (t) => ({
      [one]: t.field({
        type,
        nullable: true,
        description: `The ${one}; null when it was deleted meanwhile, which the next event says.`,
        resolve: ({ change }, _args, context) => loaderOf(context, loader).load(change.id),
      }),
      cursor: t.exposeString('cursor', { description: CURSOR }),
    }),
  });
  const gone = (suffix: string, description: string) =>
    builder.objectRef<EventOf<'left' | 'removed'>>(`${typeName}${suffix}`).implement({
      description,
      fields: (t) => ({
        [`${one}Id`]: t.id({
          description: 'Its global id.',
          resolve: ({ id }) => encodeGlobalId(typeName, id),
        }),
        cursor: t.exposeString('cursor', { description: CURSOR }),
      }),
    });
  const types = {
    in: updated,
    left: gone('Left', `A ${one} that no longer has one of the statuses asked for.`),
    removed: gone('Removed', `A ${one} that was deleted.`),
    ...MARK_TYPES,
  } as const;
  return builder.unionType(`${typeName}ChangeEvent`, {
    description: `What a stream of ${many} sends.`,
    types: Object.values(types),
    resolveType: (event) => types[event.kind],
  });
}
