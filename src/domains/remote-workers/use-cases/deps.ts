import type { JobsDeps } from '../../../jobs/deps.ts';

export type RemoteDeps = Pick<
  JobsDeps,
  'db' | 'remote' | 'payloads' | 'secrets' | 'store' | 'urls' | 'config'
>;
