import type { Config } from '../src/config/config.ts';
import type { JobDefinition } from '../src/core/definition.ts';
import { definitionsOf } from '../src/domains/domain.ts';
import { echo } from '../src/domains/echo/index.ts';
import { registeredDomains } from '../src/domains/registered.ts';
import type { Registration } from './handler.ts';
import { callRegistrations } from './handlers/calls/registration.ts';
import { clipRegistrations } from './handlers/clips/registration.ts';
import { enrichRegistration, scrapeRegistration } from './handlers/links/registration.ts';
import {
  ocrRegistration,
  sampleRegistration,
  scanRegistration,
  segmentIndexRegistration,
  transcodeRegistration,
} from './handlers/videos/registration.ts';
import { deliverRegistration } from './handlers/webhooks/registration.ts';
import { register } from './registry.ts';

type BuiltInConfig = Pick<
  Config,
  'echo' | 'maxVideoSeconds' | 'maxUploadBytes' | 'ocrLanguages' | 'scanQuietSeconds' | 'maxCallSeconds'
>;

/** The handlers that Millrace ships; each loads its modules with its first job. */
export function builtInRegistrations(config: BuiltInConfig): readonly Registration[] {
  const limits = { maxVideoSeconds: config.maxVideoSeconds, maxSizeBytes: config.maxUploadBytes };
  const of = <D extends JobDefinition, Own>({ definition, load, provide }: Registration<D, Own>) =>
    register(definition, load, provide);
  const always = [
    of(transcodeRegistration(limits)),
    of(sampleRegistration(limits)),
    of(ocrRegistration({ languages: config.ocrLanguages })),
    of(segmentIndexRegistration()),
    ...clipRegistrations(limits),
    of(scanRegistration(config.scanQuietSeconds)),
    of(scrapeRegistration()),
    of(enrichRegistration()),
    ...callRegistrations(config),
    of(deliverRegistration()),
  ];
  if (!config.echo) return always;
  return [register(echo, async () => (await import('./handlers/echo/echo.ts')).echo), ...always];
}

/**
 * Ours and, with `MILLRACE_HANDLERS`, the user's beside them. @throws DomainError `ConfigInvalid`
 * `RegistryInvalid`
 */
export async function allRegistrations(
  config: BuiltInConfig & Pick<Config, 'handlers'>,
): Promise<readonly Registration[]> {
  if (config.handlers === null) return builtInRegistrations(config);
  const { loadUserHandlers } = await import('./user-handlers.ts');
  return [
    ...builtInRegistrations(config),
    ...(await loadUserHandlers(config.handlers, definitionsOf(registeredDomains({ echo: true })))),
  ];
}
