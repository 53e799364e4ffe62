import type { FastifyInstance } from 'fastify';

const tables = new WeakMap<object, string[]>();

/** Writes down every route that is added from now on. */
export function recordRoutes(app: FastifyInstance): void {
  const table: string[] = [];
  tables.set(app.server, table);
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) table.push(`${each} ${url}`);
  });
}

/** Every route as `GET /graphql`, in the order in which they were added. */
export function routesOf(app: FastifyInstance): readonly string[] {
  return tables.get(app.server) ?? [];
}
