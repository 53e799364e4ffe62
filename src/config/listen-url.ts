import type { Config } from './config.ts';

/**
 * Where LISTEN goes: past a pooler. Null when there is only a pooler in transaction mode, which
 * cannot LISTEN: changes are then found by polling alone.
 */
export function listenUrlOf(
  config: Pick<Config, 'listenUrl' | 'pooler'>,
  databaseUrl: string,
): string | null {
  return config.listenUrl ?? (config.pooler === 'transaction' ? null : databaseUrl);
}

/**
 * Where migrations go: they hold a lock of their session, which a pooler in transaction mode would give away.
 */
export function migrateUrlOf(
  config: Pick<Config, 'migrateUrl' | 'listenUrl' | 'pooler'>,
  databaseUrl: string,
): string {
  return config.migrateUrl ?? listenUrlOf(config, databaseUrl) ?? databaseUrl;
}
