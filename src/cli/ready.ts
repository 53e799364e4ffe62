/** What a start tells the world once everything is up. */
export interface ReadyFacts {
  /** Without a trailing slash. */
  readonly url: string;
  readonly graphqlUrl: string;
  readonly token: string;
  /** Things worth knowing: where the data lies, what was copied. */
  readonly notes: readonly string[];
  readonly tokenDays: number;
  /** Whether there is a playground to open. */
  readonly hasPlayground: boolean;
}

/** The one line on stdout that a program waits for. */
export function readyLine(facts: ReadyFacts): string {
  return `millrace ready url=${facts.url} graphql=${facts.graphqlUrl} token=${facts.token}\n`;
}

/** The block beside it, for people. Goes to stderr. */
export function readyBlock(facts: ReadyFacts): string {
  const lines = [
    'Millrace is up.',
    '',
    ...(facts.hasPlayground
      ? [
          `  Playground   ${facts.graphqlUrl}#token=${facts.token}`,
          '               Open it: the token is filled in, and each example tab runs as it is.',
        ]
      : [`  GraphQL      ${facts.graphqlUrl}  (no playground in production; MILLRACE_PLAYGROUND=true)`]),
    `  Token        good for ${facts.tokenDays} days; send it as  Authorization: Bearer <token>`,
    `  Try          curl -s ${facts.graphqlUrl} -H 'content-type: application/json' -H "authorization: Bearer $TOKEN" \\`,
    `                 -d '{"query":"{ viewer { name role } jobs(first: 5) { nodes { status definition { key } } } }"}'`,
    `  Health       ${facts.url}/health/ready`,
    ...facts.notes.map((note) => `  Note         ${note}`),
    '  Stop         Ctrl-C',
    '',
  ];
  return `\n${lines.join('\n')}\n`;
}
