import { createHash } from 'node:crypto';
import { type DocumentNode, getOperationAST, Kind, visit } from 'graphql';
import type { Identity } from '../../identity/identity.ts';
import type { AskedQuestion } from './render.ts';

/** What does not change about a document's operation, however often it is subscribed. */
interface Analysis {
  readonly hash: string;
  /** The variable that is the root field's `after` and nothing else; null when there is none. */
  readonly cursorVariable: string | null;
  readonly variables: ReadonlySet<string>;
  /** It selects what depends on who the caller is, beside their rights. */
  readonly isOfViewer: boolean;
}

const analyses = new WeakMap<DocumentNode, Map<string, Analysis>>();

/**
 * Equal for subscriptions whose every event is the same bytes: one document and operation, one topic, the
 * same variables but for the cursor, and the same rights. Who it is matters only where the topic says so, and
 * to fields about the caller.
 */
export function groupKey(
  { document, operationName, variableValues }: AskedQuestion,
  topicKey: string,
  { actor }: Identity,
): string {
  const {
    hash,
    cursorVariable,
    isOfViewer,
    variables: declared,
  } = analysisOf(document, operationName ?? null);
  const variables = Object.entries(variableValues ?? {}).filter(
    ([name]) => declared.has(name) && name !== cursorVariable,
  );
  variables.sort(([a], [b]) => (a < b ? -1 : 1));
  const viewer = isOfViewer ? actor.name : null;
  return JSON.stringify([
    hash,
    actor.tenantId,
    actor.role,
    actor.scopes,
    actor.reach ?? null,
    viewer,
    topicKey,
    variables,
  ]);
}

/**
 * Without what a client sent beside: it changes nothing, and a group would keep it for as long as it lasts.
 */
export function onlyDeclared(question: AskedQuestion): AskedQuestion {
  const { variables } = analysisOf(question.document, question.operationName ?? null);
  const given = Object.entries(question.variableValues ?? {});
  return { ...question, variableValues: Object.fromEntries(given.filter(([name]) => variables.has(name))) };
}

function analysisOf(document: DocumentNode, operationName: string | null): Analysis {
  const ofDocument = analyses.get(document) ?? new Map<string, Analysis>();
  analyses.set(document, ofDocument);
  const name = operationName ?? '';
  const known = ofDocument.get(name);
  if (known !== undefined) return known;
  const source = document.loc?.source.body ?? JSON.stringify(document);
  const analysis = {
    hash: createHash('sha256').update(`${name}\n${source}`).digest('base64url'),
    cursorVariable: cursorVariableOf(document, operationName),
    variables: variablesOf(document, operationName),
    isOfViewer: selectsViewer(document),
  };
  ofDocument.set(name, analysis);
  return analysis;
}

/** Fields about the caller begin with `viewer`, in GitHub's schema as here. */
function selectsViewer(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field: ({ name }) => {
      if (name.value.startsWith('viewer')) found = true;
    },
  });
  return found;
}

function variablesOf(document: DocumentNode, operationName: string | null): ReadonlySet<string> {
  const declared = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return new Set(declared.map(({ variable }) => variable.name.value));
}

function cursorVariableOf(document: DocumentNode, operationName: string | null): string | null {
  const operation = getOperationAST(document, operationName);
  const root = operation?.selectionSet.selections[0];
  if (root?.kind !== Kind.FIELD) return null;
  const value = root.arguments?.find(({ name }) => name.value === 'after')?.value;
  if (value?.kind !== Kind.VARIABLE) return null;
  let uses = 0;
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      if (name.value === value.name.value) uses++;
    },
  });
  return uses === 1 ? value.name.value : null;
}
