import { FEED_COLUMNS } from '../../../src/db/feed-table.ts';
import { statement } from '../../../src/db/statement.ts';
import { defineDomain } from '../../../src/domains/domain.ts';
import { parcelJoin, parcelSplit, parcelWeigh } from './parcel-definitions.ts';
import { parcelPipeline } from './parcel-pipeline.ts';

const shipParcels = statement(
  'ship_parcels',
  `update parcels.parcels set status = 'shipped' where status = 'ready' returning id`,
);

/** A domain that Millrace does not know: parcels, whose items are weighed by jobs and which a duty ships. */
export const parcels = defineDomain({
  name: 'parcels',
  definitions: [parcelSplit, parcelWeigh, parcelJoin],
  pipelines: [parcelPipeline],
  feedTables: [{ ...FEED_COLUMNS, table: 'parcels.parcels', entity: "'parcel'" }],
  graphql: async () => (await import('./parcel-graphql.ts')).graphqlPart,
  duties: ({ database }) => [
    {
      name: 'parcels',
      everyMs: 500,
      run: async () => {
        const { rowCount } = await database.transaction({ role: 'worker' }, (tx) =>
          tx.query(shipParcels, []),
        );
        return { shipped: rowCount ?? 0 };
      },
    },
  ],
});
