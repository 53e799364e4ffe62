import { type Config, loadConfig } from './config.ts';

/**
 * Settings for code that runs inside somebody else's program: defaults, and nothing of its environment but
 * the folders in which programs are looked for. What differs, that program says itself.
 */
export function libraryConfig(given: Partial<Config>): Config {
  return { ...loadConfig({ PATH: process.env['PATH'] }), ...given };
}
