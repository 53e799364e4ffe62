import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';

/**
 * The video whose original has this key, and its tenant. Crosses tenants: the caller holds a signed URL for
 * the key. Locks nothing. Index: videos_pkey.
 */
export const findUploadTarget = statement(
  'find_upload_target',
  `select tenant_id, status from millrace.videos where id = $1 and original_key = $2`,
);

export type UploadTargetRow = Columns<Video, 'tenant_id' | 'status'>;
