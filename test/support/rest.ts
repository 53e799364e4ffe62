export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are as different as the routes; the tests say what they expect
  readonly body: any;
}

export interface RestClient {
  get(path: string, headers?: object): Promise<RestAnswer>;
  post(path: string, body?: unknown, headers?: object): Promise<RestAnswer>;
  send(method: string, path: string, body?: unknown, headers?: object): Promise<RestAnswer>;
}

/** Calls routes below `/api/v1` as a token's owner; each on a connection of its own. */
export function restClient(url: string, token: string | null): RestClient {
  const send: RestClient['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        connection: 'close',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
  };
}
