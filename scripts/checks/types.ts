import { dirname, relative } from 'node:path';
import { type Expression, type SourceFile, SyntaxKind } from 'typescript-native/unstable/ast';
import {
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isPropertyAccessExpression,
  isVoidExpression,
} from 'typescript-native/unstable/ast/is';
import {
  API,
  type Diagnostic,
  type Program,
  type Project,
  type Type,
  TypeFlags,
} from 'typescript-native/unstable/sync';

const OWN_FILE = /^(?!.*\/(?:node_modules|src\/generated)\/).*(?<!\.d)\.tsx?$/;
const DROPPED = 'This promise is neither awaited, returned, caught nor dropped on purpose with `void`.';

/**
 * Type errors of the project whose `tsconfig.json` is given, and statements that start a promise and drop it:
 * the linter sees only promises whose declaration it can follow, the compiler knows the type of every
 * expression. Returns the problems as readable text, empty when there are none.
 */
export function findTypeProblems(tsconfigPath: string): string {
  const folder = dirname(tsconfigPath);
  const compiler = new API({ cwd: folder });
  try {
    const project = compiler.updateSnapshot({ openProjects: [tsconfigPath] }).getProject(tsconfigPath);
    if (project === undefined) return `${tsconfigPath} is no project\n`;
    const problems = [
      ...diagnosticsOf(project.program).map((diagnostic) => written(diagnostic, project.program, folder)),
      ...droppedPromises(project, folder),
    ];
    return problems.map((line) => `${line}\n`).join('');
  } finally {
    compiler.close();
  }
}

const diagnosticsOf = (program: Program): readonly Diagnostic[] => [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getProgramDiagnostics(),
  ...program.getSyntacticDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...program.getSemanticDiagnostics(),
];

function written(diagnostic: Diagnostic, program: Program, folder: string): string {
  const { fileName, pos, code } = diagnostic;
  const file = fileName === undefined ? undefined : program.getSourceFile(fileName);
  const where = file === undefined ? (fileName ?? '') : placeOf(file, pos, folder);
  return `${where === '' ? '' : `${where}: `}error TS${code}: ${messageOf(diagnostic)}`;
}

function placeOf(file: SourceFile, position: number, folder: string): string {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return `${relative(folder, file.fileName)}(${line + 1},${character + 1})`;
}

function messageOf({ text, messageChain = [] }: Diagnostic, indent = ''): string {
  return [`${indent}${text}`, ...messageChain.map((next) => messageOf(next, `${indent}  `))].join('\n');
}

function droppedPromises({ program, checker }: Project, folder: string): string[] {
  const found = program
    .getSourceFileNames()
    .filter((name) => OWN_FILE.test(name))
    .flatMap((name) => {
      const file = program.getSourceFile(name);
      return file === undefined ? [] : uncaughtIn(file).map((expression) => ({ file, expression }));
    });
  // Asked for at once: each question goes to the compiler's process.
  const types = checker.getTypeAtLocation(found.map(({ expression }) => expression));
  return found
    .filter((_, index) => isPromise(types[index]))
    .map(
      ({ file, expression }) =>
        `${placeOf(file, expression.getStart(file), folder)}: error TS90001: ${DROPPED}`,
    );
}

/** The expressions that are statements, but for those that take care of a promise. */
function uncaughtIn(file: SourceFile): Expression[] {
  const found: Expression[] = [];
  const visit = (node: Parameters<Parameters<SourceFile['forEachChild']>[0]>[0]): void => {
    if (isExpressionStatement(node) && !isHandled(node.expression)) found.push(node.expression);
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return found;
}

function isHandled(expression: Expression): boolean {
  if (isVoidExpression(expression) || isAwaitExpression(expression)) return true;
  // `x = start()` and `x ??= start()` keep the promise; `.catch(…)` and `.then(…, onError)` take care of its
  // failure.
  if (isBinaryExpression(expression)) return isAssignment(expression.operatorToken.kind);
  return handlesRejection(expression);
}

const isAssignment = (operator: SyntaxKind): boolean =>
  operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment;

function handlesRejection(call: Expression): boolean {
  if (!isCallExpression(call) || !isPropertyAccessExpression(call.expression)) return false;
  const method = call.expression.name.text;
  if (method === 'catch') return call.arguments.length > 0;
  if (method === 'then') return call.arguments.length > 1;
  return method === 'finally' && handlesRejection(call.expression.expression);
}

function isPromise(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some(isPromise);
  if ((type.flags & TypeFlags.Object) === 0) return false;
  // Only real promises: Fastify's reply and Prisma's queries are thenable on purpose and, unawaited, mean
  // something else.
  const name = type.getSymbol()?.name;
  return name === 'Promise' || name === 'PrismaPromise';
}
