import type { JobDefinition, PayloadOf } from '../src/core/definition.ts';
import { DomainError } from '../src/core/errors.ts';
import type { Handler, Registration } from './handler.ts';
import type { Provide } from './provide.ts';

/** The jobs that a worker can run: every definition with exactly one handler. */
export interface Registry {
  readonly definitions: readonly JobDefinition[];
  /** The definition of a key, or undefined when this worker does not know it. */
  definition(key: string): JobDefinition | undefined;
  /**
   * The handler of a key; its module is loaded on the first call. A load that failed is tried again at the
   * next.
   * @throws DomainError `UnknownDefinition` for a key that is not registered; whatever the module throws
   *   while loading
   */
  load(key: string): Promise<Handler>;
  /** The handler of a key whose module is loaded; undefined while it is not. */
  loaded(key: string): Handler | undefined;
}

/** A handler for a key whose definition may be made, changed and archived while the worker runs. */
export interface RuntimeRegistration {
  readonly key: string;
  readonly load: () => Promise<Handler>;
}

/**
 * Pairs a definition with the loader of its handler, which is typed by the definition's payload. Payloads are
 * checked against the schema before the handler sees them, so that the type may be forgotten here.
 */
export function register<D extends JobDefinition, Own = unknown>(
  definition: D,
  load: () => Promise<Handler<PayloadOf<D>, Own>>,
  provide?: Provide<Own>,
): Registration {
  return { definition, load: load as Registration['load'], ...(provide && { provide }) };
}

/**
 * A job of one's own: its definition and the function that runs it, which is typed by the definition's
 * payload. What a module of `MILLRACE_HANDLERS` exports, and what `createWorker` takes.
 * @param provide what the handler has as its `own`; `media` for one that runs ffmpeg
 */
export function job<D extends JobDefinition, Own = unknown>(
  definition: D,
  handler: Handler<PayloadOf<D>, Own>,
  provide?: Provide<Own>,
): Registration {
  return register(definition, async () => handler, provide);
}

/**
 * Builds the registry and refuses to boot with a gap in it.
 * @param definitions what this process declares and syncs to the database
 * @param registrations the handlers it has
 * @param runtime handlers for definitions that no code declares
 * @throws DomainError `RegistryInvalid` that names every definition without a handler, handler without a
 *   definition, and key with two of either
 */
export function createRegistry(
  definitions: readonly JobDefinition[],
  registrations: readonly Registration[],
  runtime: readonly RuntimeRegistration[] = [],
): Registry {
  const problems = [
    ...repeated(definitions.map(({ key }) => key)).map((key) => `two definitions have the key ${key}`),
    ...repeated(registrations.map(({ definition }) => definition.key)).map(
      (key) => `two handlers for ${key}`,
    ),
  ];
  const byKey = new Map(registrations.map((registration) => [registration.definition.key, registration]));
  const declared = new Map(definitions.map((definition) => [definition.key, definition]));
  for (const key of declared.keys()) if (!byKey.has(key)) problems.push(`definition ${key} has no handler`);
  for (const key of byKey.keys()) if (!declared.has(key)) problems.push(`handler ${key} has no definition`);
  if (problems.length > 0) {
    throw new DomainError('RegistryInvalid', `Job registry: ${problems.join('; ')}`, {
      problems,
      allowed: 'exactly one handler for each definition',
    });
  }
  const loaders = new Map<string, () => Promise<Handler>>([
    ...runtime.map(({ key, load }) => [key, load] as const),
    ...registrations.map(({ definition, load }) => [definition.key, load] as const),
  ]);
  const loadings = new Map<string, Promise<Handler>>();
  const loaded = new Map<string, Handler>();
  return {
    definitions,
    definition: (key) => declared.get(key),
    load: (key) => {
      const known = loadings.get(key);
      if (known !== undefined) return known;
      const loader = loaders.get(key);
      if (loader === undefined) return Promise.reject(unknown(key, loaders.keys()));
      // Async: a loader of a user's own may throw at once, or return what is no promise.
      const loading = (async () => loader())();
      loadings.set(key, loading);
      loading.then(
        (handler) => loaded.set(key, handler),
        () => loadings.delete(key),
      );
      return loading;
    },
    loaded: (key) => loaded.get(key),
  };
}

function repeated(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))];
}

function unknown(key: string, known: Iterable<string>): DomainError {
  return new DomainError('UnknownDefinition', `No handler is registered for ${JSON.stringify(key)}`, {
    field: 'definitionKey',
    allowed: [...known].join(', '),
  });
}
