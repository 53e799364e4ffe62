import type { TSchema } from 'typebox';
import { ERROR_TABLE } from '../../core/error-table.ts';
import type { DomainErrorCode } from '../../core/errors.ts';
import { enumName } from '../../graphql/enum-name.ts';
import type { RestRoute } from '../route.ts';
import { Components } from './components.ts';
import { COMMON_HEADERS, IDEMPOTENCY_KEY, IF_MATCH, PROBLEM_SCHEMA } from './headers.ts';

export const REST_BASE = '/api/v1';

type Json = Readonly<Record<string, unknown>>;

/** Errors that any route may answer with, whatever it is for. */
const ALWAYS: readonly DomainErrorCode[] = ['InvalidArgument', 'RateLimited', 'Busy'];
const WITH_CALLER: readonly DomainErrorCode[] = ['Unauthenticated', 'Forbidden', 'PersistedOnly'];
const WITH_KEY: readonly DomainErrorCode[] = ['IdempotencyKeyInUse', 'IdempotencyKeyReused'];
const WITH_BODY: readonly DomainErrorCode[] = ['PayloadTooLarge'];

/**
 * The routes as an OpenAPI 3.1 document. Their own schemas are JSON Schema 2020-12, which 3.1 takes as they
 * are; those with a title become components of that name.
 */
export function openApiDocument(routes: readonly RestRoute[]): Json {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `${REST_BASE}${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    const item = paths[path] ?? {};
    paths[path] = item;
    const method = route.method.toLowerCase();
    if (item[method] !== undefined) throw new Error(`There are two routes ${route.method} ${path}`);
    item[method] = operationOf(route, components);
  }
  const problem = components.refTo(PROBLEM_SCHEMA);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: 'v1',
      description:
        'Durable, multi-tenant background jobs. The same use-cases, rows, limits and errors as the GraphQL API.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This installation.' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A JSON Web Token, or an API key (`mr_…`).' },
      },
      headers: COMMON_HEADERS,
      responses: {
        Problem: {
          description: 'What went wrong (RFC 9457).',
          headers: headerRefs(),
          content: { 'application/problem+json': { schema: problem } },
        },
      },
      schemas: components.schemas,
    },
  };
}

function operationOf(route: RestRoute, components: Components): Json {
  const { need, body, description, example } = route;
  const notes = [description, need === null ? undefined : needInWords(route), errorsInWords(route)];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: notes.filter((note) => note !== undefined).join('\n\n'),
    ...(need === null && { security: [] }),
    ...(need !== null && { 'x-role': need.role, 'x-scope': need.scope }),
    parameters: parametersOf(route, components),
    ...(body !== undefined && {
      requestBody: {
        required: route.isBodyOptional !== true,
        content: {
          'application/json': {
            schema: components.refTo(body),
            ...(example.body !== undefined && { example: example.body }),
          },
        },
      },
    }),
    responses: responsesOf(route, components),
  };
}

function parametersOf(route: RestRoute, components: Components): readonly unknown[] {
  const { params, query, method, example } = route;
  const of = (schema: TSchema | undefined, place: 'path' | 'query', examples: Json = {}) =>
    Object.entries(propertiesOf(schema)).map(([name, property]) => {
      const { description, ...rest } = components.inlined(property) as Json;
      return {
        name,
        in: place,
        required: place === 'path',
        ...(description !== undefined && { description }),
        schema: rest,
        ...(name in examples && place === 'query' && { example: examples[name] }),
      };
    });
  return [
    ...of(params, 'path'),
    ...of(query, 'query', example.query),
    ...(method === 'POST' && route.need !== null ? [IDEMPOTENCY_KEY] : []),
    ...(route.takesIfMatch === true ? [IF_MATCH] : []),
  ];
}

function responsesOf(route: RestRoute, components: Components): Json {
  const usual = String(route.status ?? (route.answer === undefined ? 204 : 200));
  const headers = {
    ...headerRefs(),
    ...Object.fromEntries(
      Object.entries(route.answerHeaders ?? {}).map(([name, description]) => [
        name,
        { description, schema: { type: 'string' } },
      ]),
    ),
  };
  const content = route.answer && {
    'application/json': {
      schema: components.refTo(route.answer),
      ...(hasExample(route.example.answer) && { example: route.example.answer }),
    },
    ...Object.fromEntries(
      Object.entries(route.otherTypes ?? {}).map(([type, { schema }]) => [
        type,
        { schema: components.refTo(schema) },
      ]),
    ),
  };
  const success = (description: string) => ({ description, headers, ...(content && { content }) });
  const errors = new Map<string, DomainErrorCode[]>();
  for (const code of errorsOf(route)) {
    const status = String(ERROR_TABLE[code].status);
    errors.set(status, [...(errors.get(status) ?? []), code]);
  }
  return {
    [usual]: success(route.answer === undefined ? 'It is done.' : 'As asked for.'),
    ...Object.fromEntries(
      Object.entries(route.otherStatuses ?? {}).map(([status, description]) => [
        status,
        success(description),
      ]),
    ),
    ...Object.fromEntries(
      [...errors.keys()].sort().map((status) => [status, { $ref: '#/components/responses/Problem' }]),
    ),
    default: { $ref: '#/components/responses/Problem' },
  };
}

/** What a route may be refused with. */
function errorsOf(route: RestRoute): readonly DomainErrorCode[] {
  const hasCaller = route.need !== null;
  return [
    ...new Set([
      ...ALWAYS,
      ...(hasCaller ? WITH_CALLER : []),
      ...(hasCaller && route.method === 'POST' ? WITH_KEY : []),
      ...(route.body === undefined ? [] : WITH_BODY),
      ...(route.errors ?? []),
    ]),
  ];
}

function needInWords({ need }: RestRoute): string {
  if (need === null) return '';
  const scope = need.scope === 'any' ? '' : `, and of a narrowed credential the scope \`${need.scope}\``;
  return `Needs the role \`${need.role}\` or a stronger one${scope}.`;
}

function errorsInWords(route: RestRoute): string | undefined {
  const { errors = [] } = route;
  return errors.length === 0
    ? undefined
    : `Errors of its own: ${errors.map((code) => `\`${enumName(code)}\` (${ERROR_TABLE[code].status})`).join(', ')}.`;
}

function headerRefs(): Json {
  return Object.fromEntries(
    Object.keys(COMMON_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
}

function hasExample(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object.keys(answer).length > 0;
}
