import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { BASE_COST, defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { checkTickSize, DEFAULT_TICK_JOBS, type RunTick } from '../core/tick.ts';
import type { HttpDeps } from './deps.ts';
import { takePostOnly } from './post-only.ts';
import { sendProblem } from './problem.ts';
import { admitRoute, type RouteCallerDeps } from './route-caller.ts';

export const TICK_PATH = '/api/jobs/tick';
const MAX_BODY_BYTES = 1024;
const FIELDS = ['max'];

const callers = new WeakMap<FastifyRequest, Caller>();

/** A tick runs jobs of every tenant. */
const runTick = defineUseCase(
  {
    name: 'runTick',
    role: 'super_admin',
    scope: 'admin',
    toDo: 'run a tick, which runs jobs of every tenant',
    cost: (max: number) => BASE_COST + max,
  },
  async (run: RunTick, _caller: Caller, max: number) => run(max),
);

/**
 * `POST /api/jobs/tick {"max": 1..100}`: claims at most N runnable jobs of all tenants, runs them in this
 * process, and answers with what became of them. For super admins, since it makes every tenant's jobs run.
 * 501 in a process that runs no jobs.
 */
export function addTickRoute(app: FastifyInstance, deps: RouteCallerDeps & Pick<HttpDeps, 'runTick'>): void {
  app.route({
    method: 'POST',
    url: TICK_PATH,
    bodyLimit: MAX_BODY_BYTES,
    // Before a byte of the body is read: who is nobody, or may not, or asks where nothing is run.
    onRequest: async (request, reply) => {
      callers.set(request, await admitRoute(deps, request, reply, runTick.need));
      if (deps.runTick === undefined) await sendNoWorker(reply);
    },
    handler: async (request) => {
      const done = await runTick(
        deps.runTick as RunTick,
        callers.get(request) as Caller,
        maxOf(request.body),
      );
      return { ok: true, ...done };
    },
  });
  takePostOnly(app, TICK_PATH);
}

function sendNoWorker(reply: FastifyReply): FastifyReply {
  return sendProblem(
    reply,
    501,
    'NoWorker',
    'This process serves the API alone and runs no jobs; its workers are processes of their own.',
    { allowed: 'a tick in a process that has a worker, as `millrace start` has' },
  );
}

/** A request without a body takes the default. */
function maxOf(body: unknown): number {
  if (body === undefined || body === null) return DEFAULT_TICK_JOBS;
  const isObject = typeof body === 'object' && !Array.isArray(body);
  const unknownField = isObject ? Object.keys(body).find((field) => !FIELDS.includes(field)) : 'the body';
  if (unknownField !== undefined) {
    throw new DomainError(
      'InvalidArgument',
      `${JSON.stringify(unknownField.slice(0, 80))} is not known here.`,
      {
        field: unknownField.slice(0, 80),
        allowed: 'an object with `max`, or nothing',
      },
    );
  }
  return checkTickSize((body as { max?: unknown }).max ?? DEFAULT_TICK_JOBS);
}
