import type { HandlerContext, ProgressUpdate } from '../../workers/handler.ts';

/**
 * What a test or a measurement gives a handler to see. `progress` may return anything: a list's `push` will
 * do.
 */
export interface GivenContext<Payload>
  extends Partial<Omit<HandlerContext<Payload>, 'tools' | 'own' | 'progress'>> {
  readonly payload: Payload;
  readonly tools?: Partial<HandlerContext['tools']>;
  /** What the handler's registration would provide, as far as the handler gets to use it. */
  readonly own?: unknown;
  readonly progress?: (update: ProgressUpdate) => unknown;
}

/**
 * Stands in for the platform around a handler: nothing is logged or published so far, the lease holds, and
 * the rest is as given.
 */
export function handlerContext<Payload>(given: GivenContext<Payload>): HandlerContext<Payload, never> {
  return {
    jobId: '0198f0a0-0000-7000-8000-0000000000aa',
    tenantId: '0198f0a0-0000-7000-8000-0000000000bb',
    definitionKey: '',
    subject: null,
    runNo: 1,
    attemptCount: 0,
    signal: new AbortController().signal,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    artifacts: { find: async () => [] },
    progress() {},
    fence: async () => {},
    ...given,
    // Of these a handler gets what it uses.
    noteAttempt: () => undefined,
    tools: { ...given.tools } as HandlerContext['tools'],
    own: given.own as never,
  };
}
