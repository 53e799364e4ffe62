import { MillraceError, toMillraceError } from './error.ts';
import { EventStreamParser, type StreamMessage } from './event-stream.ts';
import { post } from './http.ts';
import type { ClientSettings } from './options.ts';
import { fromResponse } from './server-errors.ts';
import type { Tokens } from './token.ts';
import type { Sink, SubscriptionRequest, SubscriptionResult } from './transport.ts';

/** One subscription of a stream. */
export interface Member {
  readonly request: SubscriptionRequest;
  readonly sink: Sink;
}

/**
 * Asks for these subscriptions by one request and hands on what comes, to those that are still members then.
 * A member whose subscription ends is removed and its sink ended. Never rejects.
 * @returns why the stream ended, for all that are left; null when the server said that all are complete
 */
export async function followStream(
  settings: ClientSettings,
  tokens: Tokens,
  members: Set<Member>,
  leaving: AbortSignal,
): Promise<MillraceError | null> {
  const silence = new AbortController();
  const signal = AbortSignal.any([leaving, silence.signal]);
  let timer = setTimeout(() => silence.abort(), settings.silenceMs);
  const byId = new Map([...members].map((member, index) => [String(index), member]));
  try {
    const operations = [...byId].map(([id, { request }]) => ({
      id,
      operationName: request.name,
      query: request.text,
      variables: request.variables(),
    }));
    const url = streamsUrl(settings.httpUrl);
    const response = await post(
      settings,
      tokens,
      { operations },
      { accept: 'text/event-stream', signal, url },
    );
    if (!isEventStream(response)) return await fromResponse(response);
    for (const { sink } of [...members]) sink.opened();
    const parser = new EventStreamParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return interrupted(members);
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), settings.silenceMs);
      for (const message of parser.push(decoder.decode(value, { stream: true }))) {
        if (leaving.aborted) return null;
        take(message, byId, members);
      }
    }
  } catch (error) {
    if (!silence.signal.aborted) return toMillraceError(error);
    return new MillraceError('NETWORK', `Nothing came for ${settings.silenceMs} ms`, { recovery: 'retry' });
  } finally {
    clearTimeout(timer);
    // Frees the connection, whatever ended the reading.
    silence.abort();
  }
}

function take({ event, data }: StreamMessage, byId: ReadonlyMap<string, Member>, members: Set<Member>): void {
  if (event !== 'next' && event !== 'complete') return;
  const { id, payload } = JSON.parse(data) as { id: string; payload: SubscriptionResult };
  const member = byId.get(id);
  // It may have left in the meantime.
  if (member === undefined || !members.has(member)) return;
  if (event === 'next') member.sink.next(payload);
  else if (members.delete(member)) member.sink.ended(null);
}

function interrupted(members: ReadonlySet<Member>): MillraceError | null {
  if (members.size === 0) return null;
  return new MillraceError('INTERRUPTED', 'The stream broke off', { recovery: 'retry' });
}

/** Beside `/graphql`, whatever is before it and behind it. */
function streamsUrl(httpUrl: string): string {
  const url = new URL(httpUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/streams`;
  return url.href;
}

function isEventStream(response: Response): response is Response & { body: NonNullable<Response['body']> } {
  const type = response.headers.get('content-type') ?? '';
  return response.ok && type.startsWith('text/event-stream') && response.body !== null;
}
