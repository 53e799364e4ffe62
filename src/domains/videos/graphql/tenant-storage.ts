import { readStorageUse, type StorageUseRow } from '../../../db/sql/media-files/read-storage-use.ts';
import { builder } from '../../../graphql/builder.ts';
import { TenantType } from '../../../graphql/types/tenant.ts';
import { type StorageUse, storageUseOf } from '../../../media-files/storage-quota.ts';

const TenantStorageType = builder.objectRef<StorageUse>('TenantStorage').implement({
  description: 'What a tenant keeps in the store, and how much it may.',
  fields: (t) => ({
    usedBytes: t.field({
      type: 'BigInt',
      description:
        'Bytes of originals, of the streams and pictures that are made of them, which count from the end of their stage on, of clips, of recordings of calls with their sound, and of files of jobs.',
      resolve: ({ usedBytes }) => BigInt(usedBytes),
    }),
    reservedBytes: t.field({
      type: 'BigInt',
      description: 'Bytes of uploads that are under way, or declared and may still begin.',
      resolve: ({ reservedBytes }) => BigInt(reservedBytes),
    }),
    limitBytes: t.field({
      type: 'BigInt',
      nullable: true,
      description:
        'How many both may come to; null for no limit. A larger upload is refused with `QUOTA_EXCEEDED`.',
      resolve: ({ limitBytes }) => (limitBytes === null ? null : BigInt(limitBytes)),
    }),
  }),
});

builder.objectField(TenantType, 'storage', (t) =>
  t.field({
    nullable: true,
    type: TenantStorageType,
    authScopes: { member: true },
    // Reads all its videos.
    complexity: 50,
    description:
      'What it keeps in the store, and how much it may; null for a tenant that the caller does not act on.',
    resolve: async ({ id }, _args, { actor, deps, operation }) => {
      if (id !== actor.tenantId) return null;
      const { config } = deps.jobs;
      const rows = await operation.transaction.query<StorageUseRow>(readStorageUse, [
        id,
        null,
        config.signedUrlSeconds,
      ]);
      return storageUseOf(rows[0], config);
    },
  }),
);
