import { PARTS } from '../../src/core/parts.ts';

/** A package.json, as far as it is looked at here. */
export interface Manifest {
  readonly version: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly license: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const PART_PACKAGES: ReadonlySet<string> = new Set(Object.values(PARTS).flatMap(({ packages }) => packages));

/**
 * The manifest of the package `millrace`: that of the repository, without what is for the repository, and
 * with the parts as optional peers, which no package manager installs by itself.
 */
export function libraryManifest(repository: Manifest): object {
  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _dev,
    allowScripts: _allow,
    ...shared
  } = repository;
  const all = { ...repository.dependencies, ...repository.optionalDependencies };
  const [parts, dependencies] = split(all, (name) => PART_PACKAGES.has(name));
  const missing = [...PART_PACKAGES].filter((name) => !(name in parts));
  if (missing.length > 0) throw new Error(`The repository does not depend on ${missing.join(', ')}`);
  const optional = Object.keys(parts).map((name) => [name, { optional: true }]);
  return {
    ...shared,
    dependencies,
    optionalDependencies: undefined,
    peerDependencies: { ...repository.peerDependencies, ...parts },
    peerDependenciesMeta: { react: { optional: true }, ...Object.fromEntries(optional) },
  };
}

/** The manifest of `@millrace/client`: the same version, no dependencies. */
export function clientManifest(repository: Manifest): object {
  const entry = (name: string): object => ({ types: `./${name}/index.d.ts`, default: `./${name}.js` });
  return {
    name: '@millrace/client',
    version: repository.version,
    description: 'Watch and steer Millrace jobs from a browser, Node or React.',
    license: repository.license,
    type: 'module',
    engines: repository.engines,
    sideEffects: false,
    exports: { '.': entry('client'), './react': entry('react'), './package.json': './package.json' },
    peerDependencies: { react: repository.peerDependencies['react'] },
    peerDependenciesMeta: { react: { optional: true } },
  };
}

function split(
  versions: Readonly<Record<string, string>>,
  isFirst: (name: string) => boolean,
): [Record<string, string>, Record<string, string>] {
  const entries = Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    Object.fromEntries(entries.filter(([name]) => isFirst(name))),
    Object.fromEntries(entries.filter(([name]) => !isFirst(name))),
  ];
}
