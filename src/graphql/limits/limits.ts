import type { Config } from '../../config/config.ts';

/**
 * How large an operation may be, on every transport alike. The defaults are our own clients' largest
 * documents times four; more than 1,000 tokens would let nested lists overflow the parser's stack [seen at
 * 2,000].
 */
export type OperationLimits = Pick<
  Config,
  | 'maxDocumentCharacters'
  | 'maxTokens'
  | 'maxDepth'
  | 'maxFields'
  | 'maxAliases'
  | 'maxRepeats'
  | 'maxDirectives'
  | 'maxComplexity'
>;

/** Global ids that one `nodes` may ask for. */
export const MAX_NODES = 1_000;
/** Operations that one socket may have open at a time. */
export const MAX_SOCKET_OPERATIONS = 1_000;
/** Mistakes of a document that are named; behind them the validation is given up. */
export const MAX_MISTAKES = 20;

/** What a request has beside a payload: its document, its other variables. */
const ENVELOPE_BYTES = 64 * 1024;

/**
 * Bytes of a request body or a socket message: never so few that a payload of the allowed size would not fit.
 */
export function maxMessageBytes(config: Pick<Config, 'maxBodyBytes' | 'maxPayloadBytes'>): number {
  return Math.max(config.maxBodyBytes, config.maxPayloadBytes + ENVELOPE_BYTES);
}
