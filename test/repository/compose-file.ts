import { parse } from 'yaml';

interface Healthcheck {
  readonly test?: readonly string[];
  readonly disable?: boolean;
}

/** The parts of a compose file that the tests look at. */
export interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string;
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly volumes?: readonly string[];
        readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
        readonly healthcheck?: Healthcheck;
        readonly restart?: string;
        readonly mem_limit?: string;
        readonly pids_limit?: number;
        readonly stop_grace_period?: string;
        readonly deploy?: { readonly replicas?: number };
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/**
 * Reads a compose file as `docker compose config` does: anchors and merge keys, then `${VAR}`,
 * `${VAR:-default}` and `${VAR:?message}` in every text.
 * @throws Error `VAR: message` for a required variable that is not set
 */
export function readComposeFile(text: string, env: Readonly<Record<string, string>>): ComposeFile {
  return interpolate(parse(text, { merge: true }), env) as ComposeFile;
}

function interpolate(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    const replaced = value.replace(
      /\$\{(\w+)(?::([-?])([^{}]*))?\}/g,
      (_, name: string, operator?: string, rest = '') => {
        const given = env[name] ?? '';
        if (given !== '') return given;
        if (operator === '?') throw new Error(`${name}: ${rest}`);
        return rest;
      },
    );
    // A default may hold a variable itself: the inner ones went first.
    return replaced === value ? value : interpolate(replaced, env);
  }
  if (Array.isArray(value)) return value.map((item) => interpolate(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, env)]));
}
