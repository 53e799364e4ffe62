import { DomainError } from '../../core/errors.ts';
import { parseJson } from '../../core/parse-json.ts';
import { GRAPHQL_PATH, type GraphqlEngine } from '../../graphql/yoga.ts';
import type { Identity } from '../../identity/identity.ts';

/**
 * A subscription as a stream of server-sent events of the REST API. It is one of GraphQL's: rates, the limit
 * of streams, the end of the credential and slow clients are looked after there.
 * @param field the subscription's root field
 * @param textOf an event of it as the text of the stream
 * @throws DomainError what the subscription is refused for
 */
export async function subscribeWith(
  engine: GraphqlEngine,
  identity: Identity,
  requestId: string,
  asked: { readonly query: string; readonly variables: object; readonly field: string },
  textOf: (value: unknown) => string,
): Promise<Response> {
  const { query, variables, field } = asked;
  const response = await engine.fetch(
    `http://localhost${GRAPHQL_PATH}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query, variables }),
    },
    { identity, requestId },
  );
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) throw refusalIn(await response.text());
  const events = response.body
    .pipeThrough(new TextDecoderStream() as never)
    .pipeThrough(new TransformStream(new Frames(field, textOf)))
    .pipeThrough(new TextEncoderStream() as never);
  return new Response(events as unknown as BodyInit, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}

interface Frame {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** Frames of GraphQL over SSE to events of a route; what ends the subscription early is an event `error`. */
class Frames implements Transformer<string, string> {
  readonly #field: string;
  readonly #textOf: (value: unknown) => string;
  #rest = '';

  constructor(field: string, textOf: (value: unknown) => string) {
    this.#field = field;
    this.#textOf = textOf;
  }

  transform(chunk: string, controller: TransformStreamDefaultController<string>): void {
    const frames = (this.#rest + chunk).split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      const text = this.#shown(frame);
      if (text !== '') controller.enqueue(text);
    }
  }

  #shown(frame: string): string {
    if (frame.startsWith(':')) return `${frame}\n\n`;
    const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '';
    if (!/^event: next$/m.test(frame) || data === '') return '';
    const { data: result, errors } = parseJson(data) as Frame;
    const [error] = errors ?? [];
    if (error === undefined) return this.#textOf(result?.[this.#field]);
    const { code } = error.extensions ?? {};
    return `event: error\ndata: ${JSON.stringify({ code, detail: error.message })}\n\n`;
  }
}

const CODES: Readonly<
  Record<string, 'RateLimited' | 'TooManySubscriptions' | 'NotFound' | 'Forbidden' | 'InvalidArgument'>
> = {
  RATE_LIMITED: 'RateLimited',
  TOO_MANY_SUBSCRIPTIONS: 'TooManySubscriptions',
  NOT_FOUND: 'NotFound',
  FORBIDDEN: 'Forbidden',
  INVALID_ARGUMENT: 'InvalidArgument',
};

function refusalIn(text: string): Error {
  const { errors } = parseJson(text) as Frame;
  const [error] = errors ?? [];
  const { code, ...details } = error?.extensions ?? {};
  const known = CODES[String(code)];
  if (error !== undefined && known !== undefined) return new DomainError(known, error.message, details);
  return new Error(`A subscription was refused: ${text.slice(0, 500)}`);
}
