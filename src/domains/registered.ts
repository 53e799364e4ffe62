import { bulkActions } from './bulk-actions/index.ts';
import { calls } from './calls/index.ts';
import { clips } from './clips/index.ts';
import type { Domain } from './domain.ts';
import { echoing } from './echo/index.ts';
import { links } from './links/index.ts';
import { remoteWorkers } from './remote-workers/index.ts';
import { search } from './search/index.ts';
import { tenants } from './tenants/index.ts';
import { triggers } from './triggers/index.ts';
import { videos } from './videos/index.ts';
import { webhooks } from './webhooks/index.ts';

/**
 * The domains that Millrace ships. The one list: composition hands it on, nothing else reads it.
 * @param options.echo false omits the definition for trying things out
 */
export function registeredDomains(options: { readonly echo: boolean }): readonly Domain[] {
  const always = [
    videos,
    clips,
    search,
    calls,
    triggers,
    tenants,
    links,
    remoteWorkers,
    webhooks,
    bulkActions,
  ];
  return options.echo ? [echoing, ...always] : always;
}
