import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { graphiqlPage, PAGE_POLICY } from '../graphql/graphiql.ts';

let plain: Promise<Buffer> | undefined;

/** Sends the playground's page. Anyone may ask for it, so neither of its forms is ever made twice. */
export async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isGzip = acceptsGzip(request.headers['accept-encoding']);
  const page = isGzip ? await graphiqlPage() : await plainPage();
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'Origin, Accept, Accept-Encoding, Authorization',
    ...(isGzip && { 'content-encoding': 'gzip' }),
  });
  return reply.send(page);
}

/** The 9 MB that a client without gzip gets: unpacked on the thread pool, at the first such visit. */
function plainPage(): Promise<Buffer> {
  plain ??= graphiqlPage().then(promisify(gunzip));
  return plain;
}

function acceptsGzip(header: string | string[] = ''): boolean {
  return String(header)
    .toLowerCase()
    .split(',')
    .some((entry) => {
      const [coding, ...parameters] = entry.split(';').map((part) => part.trim());
      return coding === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
