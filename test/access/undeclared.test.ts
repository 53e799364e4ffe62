import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const ROOMS = /^src\/(jobs|operations|media-files|domains\/[^/]+\/(?!graphql\/))/;
const TRANSPORTS = /^src\/(graphql|http|rest|ws|domains\/[^/]+\/graphql)\//;
/** What holds a tenant's rows, or leads to them. */
const DATA = /\b(ReadTransaction|ReadDatabase|Database|Transaction|JobsDeps|OperationDeps|Feed)\b/;

/** Why each may be called by a transport although it checks no caller. */
const REVIEWED: Readonly<Record<string, string>> = {
  findArtifactPages: 'a loader’s statement: it reads files of jobs that have been read as the caller’s',
  findLogPages: 'a loader’s statement: it reads logs of jobs that have been read as the caller’s',
  findWaits: 'a loader’s statement, likewise',
  segmentThumbnail: 'signs the picture of a text that the caller has been shown',
  readWorkerRuns: 'what workers run that a use-case has shown the caller',
  readWorkers: 'the look of a stream whose subscribers a use-case has let in',
  tenantQueues: 'a loader that a use-case, which asks for a super admin, reads from',
  definitionIds: 'turns keys of definitions, which belong to no tenant, into ids',
};
/** Of a signed URL: its token is the permission, which a use-case gave out. */
const BY_SIGNED_URL = /^src\/http\/(files|tus|upload|text-track|part-playlist)\.ts$/;
/** They sign URLs, or read what belongs to a row that the caller has been shown. */
const OF_A_SHOWN_ROW = /Url$|^urlsOf|^storageUseOf$|Preview$|Urls$/;

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

const parse = (file: string, text = readFileSync(join(ROOT, file), 'utf8')) =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Exported functions of a file that are given data and are no use-cases. */
function openFunctions(source: ts.SourceFile): string[] {
  const found: string[] = [];
  for (const node of source.statements) {
    const isExported = ts.canHaveModifiers(node)
      ? ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      : false;
    if (isExported !== true) continue;
    if (ts.isFunctionDeclaration(node) && takesData(node.parameters)) found.push(node.name?.text ?? '');
    if (ts.isVariableStatement(node))
      for (const { name, initializer } of node.declarationList.declarations)
        if (initializer !== undefined && ts.isArrowFunction(initializer) && takesData(initializer.parameters))
          found.push(name.getText(source));
  }
  return found;
}

function takesData(parameters: ts.NodeArray<ts.ParameterDeclaration>): boolean {
  return parameters.some(({ type }) => type !== undefined && DATA.test(type.getText()));
}

/** The file that declares what a domain's public file exports. */
function declaring(file: string, name: string): string {
  if (!/^src\/domains\/[^/]+\/(api|index)\.ts$/.test(file)) return file;
  for (const node of parse(file).statements) {
    if (!ts.isExportDeclaration(node) || node.exportClause === undefined) continue;
    if (!ts.isNamedExports(node.exportClause) || node.moduleSpecifier === undefined) continue;
    const path = (node.moduleSpecifier as ts.StringLiteral).text;
    if (node.exportClause.elements.some((element) => element.name.text === name))
      return relative(ROOT, join(ROOT, dirname(file), path));
  }
  return file;
}

/** Values that a file imports, as `file name`. */
function importsOf(source: ts.SourceFile, file: string): (readonly [string, string])[] {
  return source.statements.filter(ts.isImportDeclaration).flatMap((node) => {
    const clause = node.importClause;
    const path = (node.moduleSpecifier as ts.StringLiteral).text;
    if (clause === undefined || clause.isTypeOnly || !path.startsWith('.')) return [];
    const from = relative(ROOT, join(ROOT, dirname(file), path));
    const names = clause.namedBindings;
    if (names === undefined || !ts.isNamedImports(names)) return [];
    return names.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(
        ({ propertyName, name }) =>
          [declaring(from, (propertyName ?? name).text), (propertyName ?? name).text] as const,
      );
  });
}

const all = sources('src');
const open = new Set(
  all
    .filter((file) => ROOMS.test(file) && !TRANSPORTS.test(file))
    .flatMap((file) => openFunctions(parse(file)).map((name) => `${file} ${name}`)),
);

test('no transport calls what reads or writes a tenant’s rows but through a declared use-case', () => {
  const undeclared = all
    .filter((file) => TRANSPORTS.test(file) && !BY_SIGNED_URL.test(file))
    .flatMap((file) => importsOf(parse(file), file).map(([from, name]) => ({ file, from, name })))
    .filter(({ from, name }) => open.has(`${from} ${name}`))
    .filter(({ name }) => REVIEWED[name] === undefined && !OF_A_SHOWN_ROW.test(name))
    .map(({ file, from, name }) => `${file} calls ${name} of ${from}`);
  expect(undeclared).toEqual([]);
});

test('what a domain exports through its public file is looked at where it is declared', () => {
  expect(declaring('src/domains/videos/api.ts', 'beginUpload')).toBe(
    'src/domains/videos/uploads/begin-upload.ts',
  );
});

test('a function that takes data and checks nobody is found, a declared use-case is none', () => {
  const text = `
    export async function dropAll(deps: Pick<JobsDeps, 'db'>, id: string) {}
    export const readAll = async (reads: ReadTransaction) => [];
    export const good = defineUseCase({ name: 'good' }, async (reads: ReadTransaction) => []);
    export function pure(id: string) {}`;
  expect(openFunctions(parse('src/jobs/x.ts', text))).toEqual(['dropAll', 'readAll']);
});
