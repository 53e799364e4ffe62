import { allSettings } from './config.ts';
import { defaultTextOf } from './settings.ts';

/**
 * The settings in force, a line each, secrets as whether they are set. For `--check`.
 * @param env the process environment by default; tests give their own
 */
export function printConfig(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const lines = allSettings().map((setting) => {
    const given = env[setting.variable];
    const isGiven = given !== undefined && given !== '';
    const shown =
      setting.secret === true && isGiven
        ? '(set)'
        : isGiven
          ? given
          : (defaultTextOf(setting, env) ?? '(not set)');
    return `${setting.variable}=${shown}${isGiven ? '' : '  # default'}`;
  });
  return `${lines.join('\n')}\n`;
}
