import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export interface EmitOptions {
  /** The repository. */
  readonly root: string;
  /** Folder that the compiled files go to, in the repository's own folders. */
  readonly output: string;
  /** The modules whose types the package offers, relative to the repository. */
  readonly publicEntries: readonly string[];
}

/**
 * Compiles `src` and `workers` to JavaScript, and the types that the public module leads to. Types are not checked
 * (`npm run check` does), which makes it some seconds instead of half a minute.
 * @returns what kept it from it, as readable text; empty when all is written
 */
export function emitPackage({ root, output, publicEntries }: EmitOptions): string {
  const { fileNames, options } = readProject(root, output);
  const place = (path: string, extension: string): string =>
    join(output, relative(root, path).replace(/\.ts$/, extension));
  const problems = fileNames.flatMap((path) => {
    const { outputText, diagnostics = [] } = ts.transpileModule(read(path), {
      compilerOptions: options,
      fileName: path,
      reportDiagnostics: true,
    });
    write(place(path, '.js'), outputText);
    return diagnostics;
  });
  const entries = publicEntries.map((path) => join(root, path));
  problems.push(...emitTypes(entries, (path) => place(path, '.d.ts'), options));
  return ts.formatDiagnostics(problems, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });
}

function readProject(root: string, output: string): { fileNames: string[]; options: ts.CompilerOptions } {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    { ...config, include: ['src', 'workers'] },
    ts.sys,
    root,
    {
      noEmit: false,
      rootDir: root,
      outDir: output,
      declaration: true,
      // `./x.ts` becomes `./x.js` in imports, dynamic ones too.
      rewriteRelativeImportExtensions: true,
    },
  );
  // One file alone cannot tell that its package is of ES modules.
  return {
    fileNames,
    options: {
      ...options,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
  };
}

/** `from './x.ts'`, `import './x.ts'` and `import('./x.ts')`, as the compiler prints them. */
const REFERENCE = /(?:from|import|import\()\s*['"](\.{1,2}\/[^'"]+\.ts)['"]/g;

/**
 * Declarations of the entries and of whatever they refer to: a user's compiler reads no others. Each from its file alone, so
 * what these export must say its type.
 */
function emitTypes(
  entries: readonly string[],
  place: (path: string) => string,
  options: ts.CompilerOptions,
): readonly ts.Diagnostic[] {
  const problems: ts.Diagnostic[] = [];
  const wanted = new Set(entries);
  // A set gives what is added while it is gone through.
  for (const path of wanted) {
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(read(path), {
      compilerOptions: { ...options, isolatedDeclarations: true },
      fileName: path,
      reportDiagnostics: true,
    });
    write(place(path), outputText);
    for (const [, found = ''] of outputText.matchAll(REFERENCE)) wanted.add(resolve(dirname(path), found));
    problems.push(...diagnostics);
  }
  return problems;
}

function read(path: string): string {
  const text = ts.sys.readFile(path);
  if (text === undefined) throw new Error(`There is no ${path}`);
  return text;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
