export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Null when the body is no JSON. */
  readonly json: {
    readonly data?: Record<string, unknown> | null;
    readonly errors?: readonly unknown[];
  } | null;
  readonly tookMs: number;
}

/** POSTs a body, as JSON where it is no text. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const startedMs = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, json: parsed(text), tookMs: performance.now() - startedMs };
}

function parsed(text: string): Answer['json'] {
  try {
    return JSON.parse(text) as Answer['json'];
  } catch {
    return null;
  }
}
