import { expect, it } from 'vitest';
import { packageCommand, runStep } from '../../scripts/checks/steps.ts';
import { plant, repository } from './planted.ts';

it('the check for unused code refuses a file, an export and a package that nothing uses', async () => {
  await using planted = await plant(['knip.json', 'tsconfig.json'], {
    'package.json': JSON.stringify({
      name: 'planted',
      type: 'module',
      scripts: { start: 'node src/main.ts' },
      dependencies: { pg: '*', ws: '*' },
    }),
    'src/main.ts': "import pg from 'pg';\nimport { used } from './jobs/used.ts';\nused(pg);\n",
    'src/jobs/used.ts': 'export const used = (it: unknown) => it;\nexport const forgotten = 1;\n',
    'src/jobs/alone.ts': 'export const alone = 1;\n',
  });
  const argv = [packageCommand(repository, 'knip', 'knip'), '--no-progress'];
  const { passed, output } = await runStep({ name: 'unused', argv }, planted.folder);
  expect(passed).toBe(false);
  expect(output).toContain('src/jobs/alone.ts');
  expect(output).toMatch(/forgotten\s+src\/jobs\/used\.ts/);
  expect(output).toMatch(/ws\s+package\.json/);
  expect(output).not.toMatch(/pg\s+package\.json/);
});
