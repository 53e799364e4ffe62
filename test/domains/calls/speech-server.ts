import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a provider's stand-in was asked, in its order. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  /** Of a start. */
  readonly idempotencyKey: string | undefined;
  readonly body: Buffer;
}

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown };

/**
 * A server that speaks the protocols of speech and chat providers over real HTTP; each test writes what it
 * answers.
 */
export interface SpeechServer {
  readonly url: string;
  readonly asked: Asked[];
  /** By `METHOD /path`; the first that has not been used up, and the last one forever. */
  answers: Record<string, Answer | Answer[] | ((asked: Asked) => Answer | Promise<Answer>)>;
  countOf(path: string): number;
  close(): Promise<void>;
}

export async function startSpeechServer(): Promise<SpeechServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const speech: SpeechServer = {
    url: '',
    asked,
    answers: {},
    countOf: (path) => asked.filter((each) => each.path.startsWith(path)).length,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const each: Asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      body: Buffer.concat(chunks),
    };
    asked.push(each);
    const key = Object.keys(speech.answers).find((name) => `${each.method} ${each.path}`.startsWith(name));
    const given =
      key === undefined ? { status: 404, body: { message: 'no such path' } } : speech.answers[key];
    const list = Array.isArray(given) ? given : null;
    const answer = list !== null ? (list.length > 1 ? list.shift() : list[0]) : given;
    const found = (typeof answer === 'function' ? await answer(each) : answer) as Answer;
    const isText = typeof found.body === 'string' || Buffer.isBuffer(found.body);
    const text = (isText ? found.body : JSON.stringify(found.body)) as string | Buffer;
    response.writeHead(found.status ?? 200, {
      'content-type': 'application/json',
      connection: 'close',
      ...found.headers,
    });
    response.end(text);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(speech, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** What v3 answers for a recognition: objects that follow each other, their times as texts, out of order. */
export function v3Recognition(
  finals: readonly {
    channel: number;
    words: readonly (readonly [string, number, number])[];
    normalized?: string;
  }[],
): string {
  return finals
    .map(({ channel, words, normalized }, index) => {
      const final = {
        result: {
          audioCursors: { finalIndex: String(index) },
          channelTag: String(channel),
          final: {
            alternatives: [
              {
                text: words.map(([text]) => text).join(' '),
                startTimeMs: String(words[0]?.[1]),
                endTimeMs: String(words.at(-1)?.[2]),
                words: words.map(([text, start, end]) => ({
                  text,
                  startTimeMs: String(start),
                  endTimeMs: String(end),
                })),
              },
            ],
          },
        },
      };
      const refinement =
        normalized === undefined
          ? ''
          : JSON.stringify({
              result: {
                finalRefinement: {
                  finalIndex: String(index),
                  normalizedText: {
                    alternatives: [
                      {
                        text: normalized,
                        words: normalized.split(' ').map((text, at) => ({
                          text,
                          startTimeMs: String(words[at]?.[1] ?? 0),
                          endTimeMs: String(words[at]?.[2] ?? 0),
                        })),
                      },
                    ],
                  },
                },
              },
            });
      return `${JSON.stringify(final)}\n${refinement}`;
    })
    .reverse()
    .join('\n');
}
