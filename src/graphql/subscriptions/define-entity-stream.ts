import type { ObjectRef } from '@pothos/core';
import { notFound } from '../../jobs/not-found.ts';
import type { ReadScope } from '../access/access-types.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { loaderOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import type { LoaderDefinition } from '../loader.ts';
import { entityTopic } from './entity-topic.ts';

/** What a domain says of the stream of one of its entities. */
export interface EntityStream<Row> {
  /** `Video`: the type of its global ids. */
  readonly typeName: string;
  readonly type: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Row>;
  readonly loader: LoaderDefinition<string, Row | null>;
  /** What the feed's tables call it: `video`; the field is `videoChanged`. */
  readonly entity: string;
  readonly scope: ReadScope;
  readonly description: string;
  /** Changes of what belongs to it count as its own. */
  readonly withParts?: boolean;
}

/**
 * Adds the stream of one entity to the API: as it is now, then at every change; null when it is deleted, with
 * which the stream ends.
 */
export function defineEntityStream<Row extends object>(stream: EntityStream<Row>): void {
  // Which row it is matters to nobody here.
  const {
    typeName,
    type,
    loader,
    entity,
    scope,
    description,
    withParts = false,
  } = stream as unknown as EntityStream<object>;
  builder.subscriptionField(`${entity}Changed`, (t) =>
    t.field({
      type,
      nullable: true,
      authScopes: { [scope]: true },
      description,
      args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
      subscribe: async (_root, { id: given }, context) => {
        const id = uuidOf(typeName, given);
        if ((await loaderOf(context, loader).load(id)) === null) throw notFound(entity, id);
        const { actor, deps } = context;
        return entityTopic(`${entity} ${id}`, () =>
          deps.feed.subscribeEntity({
            entity,
            tenantId: actor.tenantId,
            id,
            ...(withParts && { withParts }),
          }),
        );
      },
      resolve: ({ id }: { id: string }, _args, context) => loaderOf(context, loader).load(id),
    }),
  );
}
