/** How long a client may take. What it holds open meanwhile is held before anybody knows who it is. */
export interface HttpTimes {
  /** From the connection, or the first byte of a request on a kept one, to the end of the headers. */
  readonly headersMs: number;
  /** For the whole body of any request but an upload. 2 MiB in that time is 70 kB/s. */
  readonly bodyMs: number;
  /** Between two pieces of an upload, which as a whole may take as long as its URL is good for. */
  readonly uploadIdleMs: number;
  /**
   * For the rest of a body that nobody waits for any more, after the answer: clients that send first still
   * read it.
   */
  readonly lingerMs: number;
  /**
   * Between two comment lines of an event stream, however quiet it is: proxies cut what is silent for half a
   * minute, or less.
   */
  readonly ssePingMs: number;
}

export const HTTP_TIMES: HttpTimes = {
  headersMs: 15_000,
  bodyMs: 30_000,
  uploadIdleMs: 60_000,
  lingerMs: 2_000,
  ssePingMs: 10_000,
};
