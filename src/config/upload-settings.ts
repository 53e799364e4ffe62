import { integer, optionalText } from './settings.ts';

/** Ways in for videos beside the signed PUT; see docs/uploads.md. */
export const UPLOAD_SETTINGS = {
  uploadHours: integer(
    'MILLRACE_UPLOAD_HOURS',
    'How long a resumable upload may take from its beginning; what has not ended by then is deleted. See uploads.md.',
    24,
    1,
    168,
  ),
  tenantStorageBytes: integer(
    'MILLRACE_TENANT_STORAGE_BYTES',
    'Originals, what is made of them, clips, recordings of calls and files of jobs that a tenant may keep, uploads under way among them; 0 for no limit. `updateTenant` sets another limit for one tenant. See uploads.md.',
    2 ** 40,
    0,
    Number.MAX_SAFE_INTEGER,
  ),
  scanSeconds: integer(
    'MILLRACE_SCAN_SECONDS',
    'How often workers look for originals that nobody registered; 0 never.',
    60,
    0,
    86_400,
  ),
  scanQuietSeconds: integer(
    'MILLRACE_SCAN_QUIET_SECONDS',
    'An original that has not changed for so long counts as whole to them.',
    120,
    1,
    86_400,
  ),
  scanTenant: optionalText(
    'MILLRACE_SCAN_TENANT',
    'Slug of the tenant that owns what was placed in the store without a video; without one such files are only reported.',
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'the slug of a tenant',
  ),
} as const;
