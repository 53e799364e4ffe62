import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

interface EmitOptions {
  /** The folder whose layout the output repeats. */
  readonly root: string;
  readonly output: string;
}

/**
 * Compiles `src` and `workers` of the repository to JavaScript. Types are not checked (`npm run check` does),
 * which makes it some seconds instead of half a minute.
 * @returns what was wrong, as readable text; empty when all is written
 */
export function emitModules({ root, output }: EmitOptions): string {
  const { fileNames, options } = readProject(root);
  const problems = fileNames.flatMap((path) => {
    const { outputText, diagnostics = [] } = ts.transpileModule(read(path), {
      compilerOptions: options,
      fileName: path,
      reportDiagnostics: true,
    });
    write(join(output, relative(root, path).replace(/\.ts$/, '.js')), outputText);
    return diagnostics;
  });
  return readable(problems, root);
}

/** `from './x.ts'`, `import './x.ts'` and `import('./x.ts')`, as the compiler prints them. */
const REFERENCE = /(?:from|import|import\()\s*['"](\.{1,2}\/[^'"]+\.ts)['"]/g;

/**
 * Writes the declarations of these entries and of whatever they refer to: a user's compiler reads no others.
 * Each comes from its file alone, so what these export must state its type.
 * @param options.entries relative to the root
 * @returns what was wrong, as readable text; empty when all is written
 */
export function emitTypes({
  root,
  output,
  entries,
}: EmitOptions & { readonly entries: readonly string[] }): string {
  const { options } = readProject(root);
  const problems: ts.Diagnostic[] = [];
  const wanted = new Set(entries.map((path) => join(root, path)));
  // A set gives what is added during the loop.
  for (const path of wanted) {
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(read(path), {
      compilerOptions: { ...options, isolatedDeclarations: true },
      fileName: path,
      reportDiagnostics: true,
    });
    write(join(output, relative(root, path).replace(/\.ts$/, '.d.ts')), outputText);
    for (const [, found = ''] of outputText.matchAll(REFERENCE)) wanted.add(resolve(dirname(path), found));
    problems.push(...diagnostics);
  }
  return readable(problems, root);
}

function readProject(root: string): { fileNames: string[]; options: ts.CompilerOptions } {
  const file = ts.findConfigFile(root, ts.sys.fileExists);
  if (file === undefined) throw new Error(`There is no tsconfig.json for ${root}`);
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    { ...config, include: ['src', 'workers'] },
    ts.sys,
    dirname(file),
    {
      noEmit: false,
      declaration: true,
      // `./x.ts` becomes `./x.js` in imports, dynamic ones too.
      rewriteRelativeImportExtensions: true,
    },
  );
  // One file alone does not show that its package is of ES modules.
  return {
    fileNames,
    options: {
      ...options,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
  };
}

function readable(problems: readonly ts.Diagnostic[], root: string): string {
  return ts.formatDiagnostics(problems, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });
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
