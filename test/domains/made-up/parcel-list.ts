import { defineEntityList } from '../../../src/events/entity-list.ts';

export const PARCEL_STATUSES = ['packing', 'ready', 'shipped', 'failed'] as const;
export type ParcelStatus = (typeof PARCEL_STATUSES)[number];

/** Parcels, to be followed. Nothing is left of a deleted one. */
export const parcelList = defineEntityList({
  name: 'parcels',
  entity: 'parcel',
  statuses: PARCEL_STATUSES,
  table: { table: 'parcels.parcels', createdBy: 'created_by', inWork: ['packing'], tombstones: null },
});
