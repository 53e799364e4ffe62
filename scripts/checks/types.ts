import { dirname } from 'node:path';
import ts from 'typescript';

/**
 * Type errors of the project whose `tsconfig.json` is given, and statements that start a promise and drop it:
 * the linter sees only promises whose declaration it can follow, the compiler knows the type of every
 * expression. Returns the problems as readable text, empty when there are none.
 */
export function findTypeProblems(tsconfigPath: string): string {
  const read = ts.readConfigFile(tsconfigPath, ts.sys.readFile);
  const folder = dirname(tsconfigPath);
  const config = ts.parseJsonConfigFileContent(read.config ?? {}, ts.sys, folder);
  const program = ts.createProgram(config.fileNames, config.options);
  const diagnostics = [
    ...(read.error === undefined ? [] : [read.error]),
    ...config.errors,
    ...ts.getPreEmitDiagnostics(program),
    ...floatingPromises(program),
  ];
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  });
}

function floatingPromises(program: ts.Program): ts.Diagnostic[] {
  const checker = program.getTypeChecker();
  const found: ts.Diagnostic[] = [];
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || /\/(node_modules|src\/generated)\//.test(file.fileName)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isExpressionStatement(node) && isDroppedPromise(node.expression, checker)) {
        found.push({
          file,
          start: node.getStart(file),
          length: node.getWidth(file),
          category: ts.DiagnosticCategory.Error,
          code: 90001,
          messageText:
            'This promise is neither awaited, returned, caught nor dropped on purpose with `void`.',
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

function isDroppedPromise(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isVoidExpression(expression) || ts.isAwaitExpression(expression)) return false;
  // `x = start()` and `x ??= start()` keep the promise; `.catch(…)` and `.then(…, onError)` take care of its
  // failure.
  if (ts.isBinaryExpression(expression) && isAssignment(expression.operatorToken.kind)) return false;
  if (ts.isCallExpression(expression) && handlesRejection(expression)) return false;
  return isThenable(checker.getTypeAtLocation(expression), checker);
}

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

function handlesRejection(call: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(call.expression)) return false;
  const method = call.expression.name.text;
  if (method === 'catch') return call.arguments.length > 0;
  if (method === 'then') return call.arguments.length > 1;
  if (method !== 'finally') return false;
  const inner = call.expression.expression;
  return ts.isCallExpression(inner) && handlesRejection(inner);
}

function isThenable(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.some((part) => isThenable(part, checker));
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return false;
  // Only real promises: Fastify's reply and Prisma's queries are thenable on purpose and, unawaited, mean
  // something else.
  const name = type.getSymbol()?.getName();
  return name === 'Promise' || name === 'PrismaPromise';
}
