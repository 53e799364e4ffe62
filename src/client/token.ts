import { MillraceError } from './error.ts';

/**
 * A token or API key, or what gives one: asked before each connection and each call, so keep it there as long
 * as it is good.
 */
export type TokenSource = string | (() => string | Promise<string>);

export class Tokens {
  readonly #source: TokenSource;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** Whether there is never another one. */
  get isFixed(): boolean {
    return typeof this.#source === 'string';
  }

  /**
   * @throws MillraceError `TOKEN_UNAVAILABLE`, which passes; or as it is, what the token function throws of
   *   that class
   */
  async next(): Promise<string> {
    if (typeof this.#source === 'string') return this.#source;
    try {
      return await this.#source();
    } catch (error) {
      if (error instanceof MillraceError) throw error;
      throw new MillraceError('TOKEN_UNAVAILABLE', 'The token function failed', {
        recovery: 'retry',
        cause: error,
      });
    }
  }
}
