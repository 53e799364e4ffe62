import { describe, expect, it } from 'vitest';
import { packageCommand, runStep } from '../../scripts/checks/steps.ts';
import { plant, repository } from './planted.ts';

const EMPTY = 'export {};\n';

async function cruise(files: Readonly<Record<string, string>>) {
  await using planted = await plant(['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'], {
    'src/core/ids.ts': 'export type Id = string;\n',
    'workers/handler.ts':
      "import type { Id } from '../src/core/ids.ts';\nexport type Handler = (id: Id) => void;\n",
    ...files,
  });
  const argv = [packageCommand(repository, 'dependency-cruiser', 'depcruise'), 'src', 'workers'];
  return await runStep({ name: 'imports', argv }, planted.folder);
}

describe('the import zones', () => {
  it('let the planned directions through', async () => {
    const { passed, output } = await cruise({
      'src/db/pool.ts':
        "import pg from 'pg';\nimport type { Id } from '../core/ids.ts';\nexport const open = (id: Id) => [id, pg];\n",
      'src/jobs/enqueue.ts':
        "import { open } from '../db/pool.ts';\nexport const enqueue = () => open('1');\n",
      'src/graphql/schema.ts':
        "import { enqueue } from '../jobs/enqueue.ts';\nexport const schema = enqueue;\n",
      'src/server.ts': "import { schema } from './graphql/schema.ts';\nexport const start = schema;\n",
      'workers/main.ts': "import { open } from '../src/db/pool.ts';\nexport const work = open;\n",
      'src/main.ts':
        "import { work } from '../workers/main.ts';\nimport { start } from './server.ts';\nwork('1');\nstart();\n",
    });
    expect(output).toContain('no dependency violations');
    expect(passed).toBe(true);
  });

  it('refuse every import against the order', async () => {
    const { passed, output } = await cruise({
      'src/db/pool.ts': EMPTY,
      'src/graphql/schema.ts': EMPTY,
      'src/core/reaches-out.ts':
        "import '../db/pool.ts';\nimport type { Pool } from 'pg';\nimport 'node:fs';\nexport type P = Pool;\n",
      'src/db/knows-api.ts': "import '../graphql/schema.ts';\n",
      'src/events/uses-tests.ts': "import 'fast-check';\n",
      'src/server.ts': "import '../workers/main.ts';\n",
      'workers/main.ts': "import '../src/graphql/schema.ts';\n",
      'workers/runtime/loop.ts': EMPTY,
      'workers/handlers/sees-runtime.ts':
        "import '../runtime/loop.ts';\nimport type { Handler } from '../handler.ts';\nexport type H = Handler;\n",
      'src/unplanned/folder.ts': "import type { Id } from '../core/ids.ts';\nexport type Two = [Id, Id];\n",
      'src/jobs/missing.ts': "import './nowhere.ts';\n",
      'src/queue/claim.ts': EMPTY,
      'src/db/sql/queue/claim-jobs.ts': EMPTY,
      'src/jobs/asks-postgres.ts': "import '../queue/claim.ts';\n",
      'workers/runtime/asks-postgres.ts':
        "import '../../src/queue/claim.ts';\nimport '../../src/db/sql/queue/claim-jobs.ts';\n",
    });
    expect(passed).toBe(false);
    const found = [...output.matchAll(/error ([^\n]+?): (\S+) → (\S+)/g)].map(
      (match) => `${match[1]}: ${match[2]}`,
    );
    expect(new Set(found)).toEqual(
      new Set([
        'core: imports a file of another zone: src/core/reaches-out.ts',
        'core: imports a package that its zone may not use: src/core/reaches-out.ts',
        'core: imports a Node module although it is pure: src/core/reaches-out.ts',
        'db: imports a file of another zone: src/db/knows-api.ts',
        'events: imports a package that its zone may not use: src/events/uses-tests.ts',
        'the program does not need development packages: src/events/uses-tests.ts',
        'server: imports a file of another zone: src/server.ts',
        'only the composition root imports a process: src/server.ts',
        'worker process: imports a file of another zone: workers/main.ts',
        'handlers: imports a file of another zone: workers/handlers/sees-runtime.ts',
        'every source file belongs to a zone: src/unplanned/folder.ts',
        'imports resolve: src/jobs/missing.ts',
        'jobs: imports a file of another zone: src/jobs/asks-postgres.ts',
        'runtime: imports a file of another zone: workers/runtime/asks-postgres.ts',
        'a worker’s runtime asks the engine by its interface: workers/runtime/asks-postgres.ts',
      ]),
    );
  });

  it('let a domain into another through its public files alone', async () => {
    const { passed, output } = await cruise({
      'src/domains/videos/index.ts': EMPTY,
      'src/domains/videos/api.ts': EMPTY,
      'src/domains/videos/sql/lock-video.ts': EMPTY,
      'src/domains/videos/uses-itself.ts': "import './sql/lock-video.ts';\n",
      'src/domains/clips/cuts.ts':
        "import '../videos/index.ts';\nimport '../videos/api.ts';\nimport '../videos/sql/lock-video.ts';\n",
      'src/http/files.ts':
        "import '../domains/videos/api.ts';\nimport '../domains/videos/sql/lock-video.ts';\n",
      'src/queue/claim.ts': "import '../domains/videos/index.ts';\n",
      'src/media-files/quota.ts': "import '../domains/videos/api.ts';\n",
      'workers/handlers/videos/transcode.ts': "import '../../../src/domains/videos/sql/lock-video.ts';\n",
      'workers/handlers/clips/cut.ts': "import '../../../src/domains/videos/sql/lock-video.ts';\n",
      'workers/open-worker.ts': "import '../src/domains/videos/api.ts';\n",
    });
    expect(passed).toBe(false);
    const found = [...output.matchAll(/error ([^\n]+?): (\S+) → (\S+)/g)].map(
      ([, rule, from]) => `${rule}: ${from}`,
    );
    expect(new Set(found)).toEqual(
      new Set([
        'no domain imports another but through its public file: src/domains/clips/cuts.ts',
        'no handler imports another domain but through its public file: workers/handlers/clips/cut.ts',
        'no worker loads the API of a domain: workers/open-worker.ts',
        'media files: imports a file of another zone: src/media-files/quota.ts',
        'no engine imports a domain: src/media-files/quota.ts',
        'no engine imports a domain: src/queue/claim.ts',
        'queue: imports a file of another zone: src/queue/claim.ts',
        'nothing outside imports a domain but through its public file: src/http/files.ts',
      ]),
    );
  });

  it('refuse a circle that consists of types only', async () => {
    const { passed, output } = await cruise({
      'src/jobs/one.ts': "import type { Two } from './two.ts';\nexport type One = { two?: Two };\n",
      'src/jobs/two.ts': "import type { One } from './one.ts';\nexport type Two = { one?: One };\n",
    });
    expect(passed).toBe(false);
    expect(output).toContain('error no circles: src/jobs/one.ts');
  });
});
