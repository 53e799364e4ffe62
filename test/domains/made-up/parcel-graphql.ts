import DataLoader from 'dataloader';
import type { Caller } from '../../../src/access/caller.ts';
import { defineUseCase } from '../../../src/access/use-case.ts';
import { statement } from '../../../src/db/statement.ts';
import { builder } from '../../../src/graphql/builder.ts';
import { loaderOf } from '../../../src/graphql/context.ts';
import { uuidOf } from '../../../src/graphql/ids.ts';
import { defineLoader } from '../../../src/graphql/loader.ts';
import { write } from '../../../src/graphql/mutations/write.ts';
import type { GraphqlPart } from '../../../src/graphql/part.ts';
import { defineEntityStream } from '../../../src/graphql/subscriptions/define-entity-stream.ts';
import { defineListStream } from '../../../src/graphql/subscriptions/define-list-stream.ts';
import { valuesOf } from '../../../src/graphql/types/enums.ts';
import { Forbidden, InvalidArgument } from '../../../src/graphql/types/errors.ts';
import type { JobsDeps } from '../../../src/jobs/deps.ts';
import { parcelSplit } from './parcel-definitions.ts';
import { PARCEL_STATUSES, type ParcelStatus, parcelList } from './parcel-list.ts';

interface ParcelRow {
  readonly id: string;
  readonly label: string;
  readonly status: ParcelStatus;
  readonly weight_grams: number | null;
}

const findParcels = statement(
  'find_parcels',
  'select id, label, status, weight_grams from parcels.parcels where tenant_id = $1 and id = any ($2::uuid[])',
);
const insertParcel = statement(
  'insert_parcel',
  'insert into parcels.parcels (tenant_id, label, created_by) values ($1, $2, $3) returning id',
);

const parcelLoader = defineLoader(
  ({ reads, tenantId }) =>
    new DataLoader<string, ParcelRow | null>(async (ids) => {
      const rows = await reads.query<ParcelRow>(findParcels, [tenantId, ids]);
      return ids.map((id) => rows.find((row) => row.id === id) ?? null);
    }),
);

const sendParcel = defineUseCase(
  { name: 'sendParcel', role: 'member', scope: 'jobs:write', toDo: 'send parcels' },
  async (deps: Pick<JobsDeps, 'db' | 'queue'>, actor: Caller, label: string, items: number) => {
    const { tenantId } = actor;
    const sent = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      const { rows } = await tx.query<{ id: string }>(insertParcel, [tenantId, label, actor.name]);
      const id = rows[0]?.id as string;
      const payload = { parcel_id: id, items };
      const subject = { type: 'parcel', id };
      const jobs = await deps.queue.enqueueIn(tx, tenantId, [
        { definitionKey: parcelSplit.key, payload, subject },
      ]);
      return { id, jobs };
    });
    deps.queue.notifyEnqueued(sent.jobs);
    return sent;
  },
);

const ParcelStatusEnum = builder.enumType('ParcelStatus', {
  description: 'How far a parcel is.',
  values: valuesOf(PARCEL_STATUSES, {
    packing: 'Its items are weighed.',
    ready: 'It waits to be shipped.',
    shipped: 'It is gone.',
    failed: 'One of its jobs did not succeed.',
  }),
});

const Parcel = builder.objectRef<ParcelRow>('Parcel');
builder.node(Parcel, {
  description: 'Some items, weighed.',
  id: { resolve: ({ id }) => id },
  loadMany: (ids, context) => ids.map((id) => loaderOf(context, parcelLoader).load(id)),
  fields: (t) => ({
    label: t.exposeString('label'),
    status: t.exposeString('status'),
    weightGrams: t.expose('weight_grams', { type: 'Int', nullable: true }),
  }),
});

builder.queryField('parcel', (t) =>
  t.field({
    type: Parcel,
    nullable: true,
    authScopes: { member: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => loaderOf(context, parcelLoader).load(uuidOf('Parcel', id)),
  }),
);

defineEntityStream({
  typeName: 'Parcel',
  type: Parcel,
  loader: parcelLoader,
  entity: 'parcel',
  scope: 'member',
  description: 'One parcel, as it is now and at every change.',
});

defineListStream({
  typeName: 'Parcel',
  type: Parcel,
  loader: parcelLoader,
  list: parcelList,
  statusType: ParcelStatusEnum,
  scope: 'member',
});

const SendParcelPayload = builder.objectRef<{ id: string }>('SendParcelPayload').implement({
  fields: (t) => ({
    parcel: t.field({
      type: Parcel,
      nullable: true,
      resolve: ({ id }, _args, context) => loaderOf(context, parcelLoader).load(id),
    }),
  }),
});

builder.mutationField('sendParcel', (t) =>
  t.field({
    type: SendParcelPayload,
    args: { label: t.arg.string({ required: true }), items: t.arg.int({ required: true }) },
    errors: { union: { name: 'SendParcelResult' }, types: [Forbidden, InvalidArgument] },
    resolve: (_root, { label, items }, context) =>
      write(context, () => sendParcel(context.deps.jobs, context.actor, label, items)),
  }),
);

export const graphqlPart: GraphqlPart = {
  typeAccess: { Parcel: { anyOf: ['jobs:read'] } },
  subjectTypes: { parcel: 'Parcel' },
};
