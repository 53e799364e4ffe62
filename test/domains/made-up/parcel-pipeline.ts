import type { DomainChange, FinalEffects } from '../../../src/core/pipelines/pipeline.ts';
import { definePipeline } from '../../../src/core/pipelines/pipeline.ts';
import type { Transaction } from '../../../src/db/database.ts';
import { statement } from '../../../src/db/statement.ts';
import { parcelJoin, parcelSplit, parcelWeigh } from './parcel-definitions.ts';

const storeItem = statement(
  'store_item',
  `insert into parcels.items (tenant_id, parcel_id, number, weight_grams) values ($1, $2, $3, $4) on conflict do nothing`,
);
const closeParcel = statement(
  'close_parcel',
  `update parcels.parcels set status = 'ready',
     weight_grams = (select sum(weight_grams) from parcels.items where parcel_id = $2)
   where tenant_id = $1 and id = $2 and status = 'packing'`,
);
const failParcel = statement(
  'fail_parcel',
  `update parcels.parcels set status = 'failed' where tenant_id = $1 and id = $2 and status = 'packing'`,
);

type ParcelChange = DomainChange &
  (
    | { readonly kind: 'weighed'; readonly number: number; readonly weightGrams: number }
    | { readonly kind: 'closed' | 'failed' }
  );

const NOTHING: FinalEffects<ParcelChange> = { changes: [], next: [] };

/** What the ends of its jobs do to a parcel. */
export const parcelPipeline = definePipeline<Transaction, ParcelChange>({
  definitionKeys: [parcelSplit.key, parcelWeigh.key, parcelJoin.key],
  subjectType: 'parcel',
  readsPayload: false,
  onFinal: (_job, key, settlement) => {
    if (settlement.status !== 'succeeded') return { changes: [{ kind: 'failed' }], next: [] };
    if (key === parcelJoin.key) return { changes: [{ kind: 'closed' }], next: [] };
    if (key !== parcelWeigh.key) return NOTHING;
    const { number, weightGrams } = settlement.result as { number: number; weightGrams: number };
    return { changes: [{ kind: 'weighed', number, weightGrams }], next: [] };
  },
  onRequeue: () => NOTHING,
  apply: async (tx, job, change) => {
    const whose = [job.tenantId, job.subject?.id];
    if (change.kind === 'weighed') await tx.query(storeItem, [...whose, change.number, change.weightGrams]);
    else await tx.query(change.kind === 'closed' ? closeParcel : failParcel, whose);
    return true;
  },
});
