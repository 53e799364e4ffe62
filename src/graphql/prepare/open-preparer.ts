import type { GraphQLSchema } from 'graphql';
import type { Rates } from '../../access/rates.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../telemetry/log.ts';
import { checkDocument } from './check-document.ts';
import { loadManifest } from './manifest.ts';
import { Preparer } from './preparer.ts';

/**
 * Makes the preparer of a process. Registered operations that are not valid (any more) are named in the log
 * and refused when they are asked: an old client's must not keep a new release from starting.
 * @param rates what callers of every route take from together
 * @throws DomainError `ConfigInvalid` when the file of registered operations cannot be used
 */
export async function openPreparer(
  schema: GraphQLSchema,
  config: Config,
  log: Logger,
  rates: Rates,
): Promise<Preparer> {
  const manifest = await loadManifest(config.persistedOperations);
  for (const [id, text] of manifest.byId) {
    const checked = checkDocument(schema, text, config);
    if ('text' in checked) continue;
    log.warn({ id, problem: checked[0]?.message }, 'graphql: a registered operation is not valid');
  }
  if (manifest.hashes.size > 0) log.info({ count: manifest.hashes.size }, 'graphql: operations registered');
  return new Preparer(schema, config, manifest, rates);
}
