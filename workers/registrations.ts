import type { Config } from '../src/config/config.ts';
import { echo } from '../src/core/definitions/echo.ts';
import type { Registration } from './handler.ts';
import { clipRegistration, transcodeRegistration } from './handlers/video/registration.ts';
import { register } from './registry.ts';

/** The handlers that Millrace ships; each loads its modules with its first job. */
export function builtInRegistrations(
  config: Pick<Config, 'echo' | 'maxVideoSeconds' | 'maxUploadBytes'>,
): readonly Registration[] {
  const limits = { maxVideoSeconds: config.maxVideoSeconds, maxSizeBytes: config.maxUploadBytes };
  const transcode = transcodeRegistration(limits);
  const clip = clipRegistration(limits);
  const always = [register(transcode.definition, transcode.load), register(clip.definition, clip.load)];
  if (!config.echo) return always;
  return [register(echo, async () => (await import('./handlers/echo.ts')).echo), ...always];
}

/** Ours and, with `MILLRACE_HANDLERS`, the user's beside them. @throws DomainError `ConfigInvalid` `RegistryInvalid` */
export async function allRegistrations(
  config: Pick<Config, 'echo' | 'maxVideoSeconds' | 'maxUploadBytes' | 'handlers'>,
): Promise<readonly Registration[]> {
  if (config.handlers === null) return builtInRegistrations(config);
  const { loadOwnHandlers } = await import('./own-handlers.ts');
  return [...builtInRegistrations(config), ...(await loadOwnHandlers(config.handlers))];
}
