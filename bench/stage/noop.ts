import { defineJob } from '../../src/core/definition.ts';
import { Type } from '../../src/core/payload-type.ts';

/**
 * A job that does nothing but note when it was called, and writes lines of a thousand characters where it is
 * asked to.
 */
export const noop = defineJob({
  key: 'noop',
  description: 'Does nothing.',
  payload: Type.Object(
    { n: Type.Optional(Type.Integer()), lines: Type.Optional(Type.Integer()) },
    { additionalProperties: false },
  ),
});

/** A call of the handler: the payload's number and the machine's clock. */
export type NoopCall = readonly [n: number, atMs: number];

/** What the worker process receives. */
export type NoopOrder = { readonly kind: 'take' } | { readonly kind: 'stop' };

/** What it says. */
export type NoopNews =
  | { readonly kind: 'ready' }
  /** Handlers called since the last `take`. */
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'calls'; readonly calls: readonly NoopCall[] };
