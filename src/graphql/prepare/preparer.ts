import { type DocumentNode, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import { byteCostOf } from '../../access/byte-cost.ts';
import { type CostLeft, type RateExceeded, type RateSettings, Rates } from '../../access/rates.ts';
import type { Identity } from '../../identity/identity.ts';
import { limitError } from '../limits/limit-error.ts';
import type { OperationLimits } from '../limits/limits.ts';
import { boundedErrors } from './bounded-errors.ts';
import { checkDocument } from './check-document.ts';
import { complexityOf, REFUSED_COST, rateCostOf } from './cost.ts';
import { type CheckedDocument, DocumentCache } from './document-cache.ts';
import { type IntrospectionSettings, introspectionRefused, mayIntrospect } from './introspection.ts';
import type { Manifest } from './manifest.ts';
import { pageSizeErrors } from './page-sizes.ts';
import { PersistedOperations, type PersistedSettings } from './persisted.ts';
import { type RawRequest, requestOf } from './request.ts';
import { variableErrors } from './variable-errors.ts';

export type ProtectionSettings = OperationLimits & RateSettings & IntrospectionSettings & PersistedSettings;

/** An operation that may be executed. */
export interface PreparedOperation {
  readonly text: string;
  /** The same object for the same text, as long as it is in memory. */
  readonly document: DocumentNode;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Its fields, those below lists times the length that is asked for. */
  readonly complexity: number;
  /** What it takes from what the caller may ask, where they want to be shown it. */
  readonly shownCost: number | null;
}

/**
 * What stands between a client's message and its execution, the same for HTTP, SSE and sockets: it finds the
 * document, checks it once, weighs the operation and takes it from what the caller may ask.
 */
export class Preparer {
  readonly #schema: GraphQLSchema;
  readonly #settings: ProtectionSettings;
  readonly #persisted: PersistedOperations;
  readonly #rates: Rates;
  readonly #documents = new DocumentCache();

  /** @param rates what callers of every route take from together */
  constructor(
    schema: GraphQLSchema,
    settings: ProtectionSettings,
    manifest: Manifest,
    rates = new Rates(settings),
  ) {
    this.#schema = schema;
    this.#settings = settings;
    this.#persisted = new PersistedOperations(manifest, settings);
    this.#rates = rates;
  }

  /** Never throws an expected error. @returns what to execute, or why not: errors with a code each */
  prepare(raw: RawRequest, identity: Identity): PreparedOperation | readonly GraphQLError[] {
    try {
      return this.#prepare(raw, identity);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return boundedErrors(error.errors);
    }
  }

  /** Takes a new socket from what its client may open. @returns why it may not */
  connectRefusal(identity: Identity): GraphQLError | null {
    return rateError(this.#rates.take(identity, 'connects', 1));
  }

  /** Takes the bytes of a request from what its caller may ask. @returns why they are too many for now */
  takeBytes(identity: Identity, bytes: number): GraphQLError | null {
    const cost = byteCostOf(bytes);
    return cost === 0 ? null : rateError(this.#rates.take(identity, 'cost', cost));
  }

  /** Takes the bytes of an answer, which are there already. */
  chargeBytes(identity: Identity, bytes: number): void {
    const cost = byteCostOf(bytes);
    if (cost > 0) this.#rates.charge(identity, 'cost', cost);
  }

  /** What the caller may still ask. */
  costLeft(identity: Identity): CostLeft {
    return this.#rates.costLeft(identity);
  }

  #prepare(raw: RawRequest, identity: Identity): PreparedOperation {
    const request = refusing(() => requestOf(raw));
    const text = refusing(() => this.#persisted.textOf(request, identity.persistedOnly));
    const hideSuggestions = !mayIntrospect(this.#settings, identity);
    const checked = this.#documents.get(text) ?? this.#check(text, identity, hideSuggestions);
    if (checked.introspects && hideSuggestions) throw new Refusal(introspectionRefused());
    const { operationName, variables } = request;
    const operation = getOperationAST(checked.document, operationName);
    if (operation == null) throw new Refusal(noSuchOperation(operationName));
    const wrong = variableErrors(this.#schema, operation, variables, hideSuggestions);
    if (wrong.length > 0) {
      this.#rates.charge(identity, 'cost', rateCostOf(0));
      throw new Refusal(...wrong);
    }
    const complexity = refusing(
      () => complexityOf(this.#schema, checked, operation, variables),
      'BAD_USER_INPUT',
    );
    const { maxComplexity } = this.#settings;
    if (complexity > maxComplexity) {
      const wrongSizes = pageSizeErrors(this.#schema, checked, operation, variables);
      throw new Refusal(...(wrongSizes.length > 0 ? wrongSizes : [tooCostly(complexity, maxComplexity)]));
    }
    const isStream = operation.operation === 'subscription';
    const tooMuch = rateError(
      isStream
        ? this.#rates.take(identity, 'subscribes', 1)
        : this.#rates.take(identity, 'cost', rateCostOf(complexity)),
    );
    if (tooMuch !== null) throw new Refusal(tooMuch);
    this.#persisted.remember(request);
    const { document } = checked;
    const shownCost = request.showsCost ? rateCostOf(complexity) : null;
    return { text, document, kind: operation.operation, operationName, variables, complexity, shownCost };
  }

  /** What was asked before is free of this; what is new costs work before it is known what it is. */
  #check(text: string, identity: Identity, hideSuggestions: boolean): CheckedDocument {
    const tooMuch = rateError(this.#rates.refusal(identity, 'cost', 1));
    if (tooMuch !== null) throw new Refusal(tooMuch);
    const checked = checkDocument(this.#schema, text, this.#settings, hideSuggestions);
    if ('text' in checked) {
      this.#documents.add(checked);
      return checked;
    }
    this.#rates.charge(identity, 'cost', REFUSED_COST);
    throw new Refusal(...checked);
  }
}

/** Ends the preparation with what the client is sent. */
class Refusal extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(...errors: readonly GraphQLError[]) {
    super('refused');
    this.errors = errors;
  }
}

/** @param code of errors that have none: what graphql-js says of variables */
function refusing<T>(step: () => T, code?: string): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (code !== undefined) error.extensions['code'] ??= code;
    throw new Refusal(error);
  }
}

function rateError(exceeded: RateExceeded | null): GraphQLError | null {
  return exceeded && limitError('RATE_LIMITED', exceeded.message, exceeded.facts);
}

function noSuchOperation(name: string | null): GraphQLError {
  return new GraphQLError(
    name === null
      ? 'The document has several operations, or none; say which one in `operationName`'
      : `The document has no operation ${JSON.stringify(name.slice(0, 100))}`,
    { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } },
  );
}

function tooCostly(actual: number, limit: number): GraphQLError {
  return limitError(
    'TOO_COSTLY',
    `The operation's cost is ${actual}; allowed: ${limit}. Ask for smaller pages or fewer fields.`,
    { limit, actual },
  );
}
