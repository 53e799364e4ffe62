import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository/planted.ts';

/** What stands before a snippet in its reader's program. */
const BEFORE: Readonly<Record<string, string>> = {
  'events.ts': "import type { Job } from '@millrace/client';\nimport { client } from './jobs.ts';\n",
  'view.ts':
    "import type { Job } from '@millrace/client';\nimport { client } from './jobs.ts';\ndeclare const render: (jobs: readonly Job[]) => void;\n",
  'library.ts':
    "import type { Video } from '@millrace/client';\nimport { client } from './jobs.ts';\ndeclare const renderVideos: (videos: readonly Video[]) => void;\n",
  'App.tsx': 'declare const currentToken: () => Promise<string>;\n',
};

async function snippets(): Promise<ReadonlyMap<string, string>> {
  const page = await readFile(join(repository, 'docs/client.md'), 'utf8');
  return new Map(
    [...page.matchAll(/```tsx?\n\/\/ (\S+)\n([\s\S]*?)\n```/g)].map(([, name = '', code = '']) => [
      name,
      code,
    ]),
  );
}

/** Compiles them as a frontend with the package installed would. @returns what is wrong, as text */
function problemsOf(files: ReadonlyMap<string, string>): string {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    allowImportingTsExtensions: true,
    jsx: ts.JsxEmit.ReactJSX,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
    types: ['react'],
    paths: {
      '@millrace/client': [join(repository, 'src/client/index.ts')],
      '@millrace/client/react': [join(repository, 'src/react/index.ts')],
    },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile: read, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? read(path);
  host.getSourceFile = (path, language) => {
    const text = files.get(path);
    return text === undefined ? getSourceFile(path, language) : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => repository,
    getNewLine: () => '\n',
  });
}

describe('docs/client.md', () => {
  it('shows code that compiles in a browser’s project, where nothing of Node is known', async () => {
    const shown = await snippets();
    const own = [...shown].filter(([name]) => !['resumable.ts', 'urql.ts', 'apollo.ts'].includes(name));
    expect(own.map(([name]) => name)).toEqual([
      ...['jobs.ts', 'events.ts', 'view.ts', 'library.ts'],
      ...['App.tsx', 'Files.tsx', 'Library.tsx', 'Videos.tsx'],
    ]);
    const files = own.map(
      ([name, code]) => [join(repository, 'docs', name), `${BEFORE[name] ?? ''}${code}\n`] as const,
    );
    expect(problemsOf(new Map(files))).toBe('');
  });

  it.each(['resumable.ts', 'urql.ts', 'apollo.ts'])(
    'shows %s of the examples, which a test runs',
    async (name) => {
      const code = await readFile(join(repository, 'examples/frontend', name), 'utf8');
      expect((await snippets()).get(name)).toBe(code.trimEnd());
    },
  );
});
