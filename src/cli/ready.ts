/** What a start reports once everything is up. */
export interface ReadyFacts {
  /** Without a trailing slash. */
  readonly url: string;
  readonly graphqlUrl: string;
  /** For the tenant `demo`; null where no token is issued. */
  readonly token: string | null;
  /** Things worth knowing: where the data lies, what was copied. */
  readonly notes: readonly string[];
  readonly tokenDays: number;
  /** Whether there is a playground to open. */
  readonly hasPlayground: boolean;
  /** Whether the console is served. */
  readonly hasConsole: boolean;
}

/** The one line on stdout that a program waits for. */
export function readyLine(facts: ReadyFacts): string {
  const token = facts.token === null ? '' : ` token=${facts.token}`;
  return `millrace ready url=${facts.url} graphql=${facts.graphqlUrl}${token}\n`;
}

/** The block beside it, for people. Goes to stderr. */
export function readyBlock(facts: ReadyFacts): string {
  const lines = [
    'Millrace is up.',
    '',
    ...(facts.hasConsole ? consoleLink(facts) : []),
    ...(facts.hasPlayground
      ? playground(facts)
      : [`  GraphQL      ${facts.graphqlUrl}  (no playground in production; MILLRACE_PLAYGROUND=true)`]),
    ...(facts.token === null
      ? HOW_TO_GET_IN
      : [`  Token        good for ${facts.tokenDays} days; send it as  Authorization: Bearer <token>`]),
    `  Try          curl -s ${facts.graphqlUrl} -H 'content-type: application/json' -H "authorization: Bearer $TOKEN" \\`,
    `                 -d '{"query":"{ viewer { name role } jobs(first: 5) { nodes { status definition { key } } } }"}'`,
    `  Health       ${facts.url}/health/ready`,
    ...facts.notes.map((note) => `  Note         ${note}`),
    '  Stop         Ctrl-C',
    '',
  ];
  return `\n${lines.join('\n')}\n`;
}

/** A fragment stays in the browser: no server and no log sees the token. */
function consoleLink({ url, token }: ReadyFacts): readonly string[] {
  if (token === null) return [`  Console      ${url}/console`];
  return [
    `  Console      ${url}/console#token=${token}`,
    '               Open it: you are signed in, and see the jobs of this installation live.',
  ];
}

function playground({ graphqlUrl, token }: ReadyFacts): readonly string[] {
  return token === null
    ? [`  Playground   ${graphqlUrl}`]
    : [
        `  Playground   ${graphqlUrl}#token=${token}`,
        '               Open it: the token is filled in, and each example tab runs as it is.',
      ];
}

/** A key and no JWT: it can be made wherever the database is, whatever signs the tokens. */
const HOW_TO_GET_IN = [
  '  Token        none was made. A tenant and an API key of it, beside this process:',
  '                 npx millrace tenant create --slug acme',
  '                 npx millrace token create --tenant acme --role tenant_admin --api-key --name first --ttl 30d',
];
