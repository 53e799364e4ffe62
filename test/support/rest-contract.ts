import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type RestAnswer, type RestClient, restClient } from './rest.ts';

export interface Operation {
  readonly operationId: string;
  readonly 'x-role'?: string;
  readonly 'x-scope'?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: { 'application/json': { readonly schema: object } } };
  readonly responses: Readonly<
    Record<
      string,
      { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: object }>> }
    >
  >;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}

export const openApi = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as OpenApi;

/** Every operation of the document, as `GET /api/v1/jobs/{job_id}`. */
export const operations = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'openapi', components: openApi.components });
const compiled = new Map<string, ValidateFunction>();

/** Whether a value is as a schema of the document says; otherwise what is wrong. */
export function problemsOf(schema: object, value: unknown): string | null {
  const source = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
  let validate = compiled.get(source);
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(source));
    compiled.set(source, validate);
  }
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** The operation of the document that a request is of. */
export function operationOf(method: string, url: string) {
  const asked = (url.split('?', 1)[0] ?? '').split('/');
  const fits = (path: string): boolean => {
    const parts = path.split('/');
    return (
      parts.length === asked.length && parts.every((part, at) => part.startsWith('{') || part === asked[at])
    );
  };
  const found = operations.filter((each) => each.method === method && fits(each.path));
  // `/jobs/summary` is no job's id.
  return found.find(({ path }) => path === asked.join('/')) ?? found[0];
}

/**
 * Checks a live answer against the document: its status, its type, its body with nothing missing and nothing
 * more, its headers.
 * @throws Error saying what is not as the document says
 */
export function checkAnswer(method: string, path: string, { status, headers, body }: RestAnswer): void {
  const about = `${method} ${path} ${status}`;
  const operation = operationOf(method, `/api/v1${path}`)?.operation;
  if (operation === undefined) throw new Error(`${about}: the document has no such operation`);
  if (headers.get('x-request-id') === null) throw new Error(`${about}: no x-request-id`);
  const type = headers.get('content-type')?.split(';', 1)[0] ?? null;
  const response = operation.responses[String(status)];
  if (response === undefined)
    throw new Error(`${about}: the document has no such status; ${JSON.stringify(body)}`);
  if (response.$ref !== undefined) {
    if (type !== 'application/problem+json') throw new Error(`${about}: ${type} is no problem`);
    const wrong = problemsOf({ $ref: '#/components/schemas/Problem' }, body);
    if (wrong !== null) throw new Error(`${about}: ${wrong}`);
    if (body.status !== status) throw new Error(`${about}: the problem says ${body.status}`);
    return;
  }
  if (response.content === undefined) {
    if (body !== '') throw new Error(`${about}: there is a body`);
    return;
  }
  const schema = response.content[type ?? '']?.schema;
  if (schema === undefined) throw new Error(`${about}: the document has no type ${type}`);
  if (type !== 'application/json') return;
  const wrong = problemsOf(schema, body);
  if (wrong !== null) throw new Error(`${about}: ${wrong}\n${JSON.stringify(body).slice(0, 2_000)}`);
}

/** A client whose every answer is checked against the document. */
export function checkedClient(url: string, token: string | null): RestClient {
  const client = restClient(url, token);
  const send: RestClient['send'] = async (method, path, body, headers) => {
    const answer = await client.send(method, path, body, headers);
    checkAnswer(method, path, answer);
    return answer;
  };
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
  };
}
