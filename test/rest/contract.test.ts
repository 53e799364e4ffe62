import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/rest/document/document.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { restClient } from '../support/rest.ts';
import { checkAnswer, checkedClient, openApi, operations, problemsOf } from '../support/rest-contract.ts';
import { allRoutes, filled, makeWorld, pathOf, type World } from './world.ts';

let api: TestApi;
let world: World;
let routes: readonly RestRoute[];

beforeAll(async () => {
  api = await startTestApi();
  [world, routes] = [await makeWorld(api), await allRoutes()];
});
afterAll(() => api?.close());

const tokenFor = ({ need }: RestRoute) =>
  need?.role === 'super_admin' ? world.superAdmin : need?.role === 'worker' ? world.worker : world.admin;

describe('the OpenAPI document', () => {
  test('is a valid one of version 3.1, committed as the code makes it, and served', async () => {
    const result = await new Validator().validate(structuredClone(openApi) as never);
    expect(result).toEqual({ valid: true });
    expect(openApi).toMatchObject({ openapi: '3.1.0' });
    expect(JSON.parse(JSON.stringify(openApiDocument(routes)))).toEqual(openApi);
    const served = await restClient(api.url, null).get('/openapi.json');
    expect(served.body).toEqual(openApi);
  });

  test('has every route of the server, and no other', () => {
    const served = api.server.routes
      .filter((route) => / \/api\/v1\//.test(route) && !/^HEAD |\/(openapi\.json|docs)/.test(route))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(served.sort());
  });

  test('requires every property of its answers, so that nothing may be missing', () => {
    const answers = Object.entries(openApi.components.schemas).filter(
      ([name]) =>
        /(Page|List|^Job|^Trigger|^Event|^Video|^Clip|Worker|Enqueued)/.test(name) &&
        !/(Input|Filter|Subject|^Problem)/.test(name),
    );
    expect(answers.length).toBeGreaterThan(20);
    for (const [name, schema] of answers) {
      const properties = Object.keys((schema['properties'] as object | undefined) ?? {});
      expect(schema['required'] ?? [], name).toEqual(properties);
      expect(schema['additionalProperties'], name).toBe(false);
    }
  });

  test('refers to no host but this one on its page', async () => {
    const page = await fetch(`${api.url}/api/v1/docs`, { headers: { connection: 'close' } });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source as string);
    expect(sources.length).toBeGreaterThan(4);
    for (const source of sources) {
      const { origin, href } = new URL(source, page.url);
      expect(origin, source).toBe(new URL(api.url).origin);
      const asset = await fetch(href, { headers: { connection: 'close' } });
      expect([asset.status, (await asset.arrayBuffer()).byteLength > 0], source).toEqual([200, true]);
    }
  });
});

describe('every route', () => {
  test('answers its example as the document says, with nothing missing and nothing more', async () => {
    const failures: string[] = [];
    for (const route of routes) {
      const path = pathOf(route, world.ids);
      const answer = await restClient(api.url, tokenFor(route)).send(
        route.method,
        path,
        filled(route.example.body, world.ids),
      );
      const usual = route.status ?? (route.answer === undefined ? 204 : 200);
      if (answer.status !== usual)
        failures.push(`${route.method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      try {
        checkAnswer(route.method, path, answer);
      } catch (error) {
        failures.push((error as Error).message);
      }
      if (answer.headers.get('ratelimit-remaining') === null)
        failures.push(`${path}: no rate limit in its headers`);
    }
    expect(failures).toEqual([]);
  });

  test('has an example whose body and answer are as its schemas say', () => {
    for (const { operation, path } of operations) {
      const body = operation.requestBody?.content['application/json'] as
        | { schema: object; example?: unknown }
        | undefined;
      if (body?.example !== undefined && !JSON.stringify(body.example).includes('{' + 'uploaded'))
        expect(problemsOf(body.schema, filled(body.example, world.ids)), path).toBeNull();
      for (const response of Object.values(operation.responses)) {
        const content = response.content?.['application/json'] as
          | { schema: object; example?: unknown }
          | undefined;
        if (content?.example !== undefined)
          expect(problemsOf(content.schema, filled(content.example, world.ids)), path).toBeNull();
      }
    }
  });

  test('answers a caller without a token, of another tenant, and with a wrong body as the document says', async () => {
    const stranger = checkedClient(api.url, await api.token(await api.makeTenant(), 'tenant_admin'));
    for (const route of routes) {
      const path = pathOf(route, world.ids);
      const body = route.body === undefined ? undefined : { nothing_of_it: 1 };
      expect((await checkedClient(api.url, null).send(route.method, path, body)).status, path).toBe(401);
      if (route.body !== undefined) {
        const refused = await checkedClient(api.url, tokenFor(route)).send(route.method, path, body);
        expect([refused.status, refused.body.code], path).toEqual([400, 'INVALID_ARGUMENT']);
      }
      if (route.need?.role === 'super_admin' || route.params === undefined) continue;
      if (route.need?.role === 'worker') {
        // A lease of another tenant’s job holds nothing.
        const token = await api.token(await api.makeTenant(), 'worker');
        const lost = await checkedClient(api.url, token).send(
          route.method,
          path,
          filled(route.example.body, world.ids),
        );
        expect([lost.status, lost.body.code], path).toEqual([409, 'LOST_LEASE']);
        continue;
      }
      const answer = await stranger.send(route.method, path, filled(route.example.body, world.ids));
      expect([answer.status, answer.body.code], `${route.method} ${path}`).toEqual([404, 'NOT_FOUND']);
    }
  });
});
