/** A request that takes more of a server than its size says, where nothing bounds it. */
export interface WorstRequest {
  readonly name: string;
  /** The body, as JSON text. */
  readonly json: string;
}

const ENQUEUE =
  'mutation ($p: JSON) { enqueueJob(input: { definition: "echo", payload: $p }) { __typename } }';
const ENQUEUE_MANY =
  'mutation ($jobs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $jobs }) { __typename } }';

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const request = (name: string, query: string, variables: object = {}): WorstRequest => ({
  name,
  json: JSON.stringify({ query, variables }),
});

/** The worst of everything that one member may send. */
export function worstRequests(): readonly WorstRequest[] {
  return [
    request('80,000 unknown keys', ENQUEUE, { p: Object.fromEntries(many(80_000, (n) => [`k${n}`, 1])) }),
    request('500,000 numbers', ENQUEUE, { p: { message: many(500_000, (n) => n % 10) } }),
    request('a name of 2 MB', `{ ${'a'.repeat(2_000_000)} }`),
    request('a deep document', `{ ${'a { '.repeat(40_000)} b ${'}'.repeat(40_000)} }`),
    // As text: what wrote it as JSON would be the first to fail.
    {
      name: 'a deep payload',
      json: `{"query":${JSON.stringify(ENQUEUE)},"variables":{"p":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    },
    request('blanks for a number', `{ jobs(first: "${' '.repeat(1_000_000)}") { nodes { id } } }`),
    request('1,000 jobs at once', ENQUEUE_MANY, {
      jobs: many(1_000, (n) => ({ definition: 'echo', payload: { message: `job ${n}` } })),
    }),
    request('a payload of 1 MB', ENQUEUE, { p: { message: 'x'.repeat(1_000_000) } }),
    request(
      'a large page',
      '{ jobs(first: 100) { nodes { id payload result definition { key } attempts { attemptNo } waitingFor { reason } } } }',
    ),
    request('a search', '{ searchVideos(query: "a* b* c* d*", first: 100) { edges { node { title } } } }'),
    // Never read before, so that it is parsed and checked each time.
    request('a new document', `{ ${many(45, (n) => `a${n}: viewer { name role }`).join(' ')} }`),
  ];
}
