import { MillraceError, toMillraceError } from './error.ts';
import { EventStreamParser } from './event-stream.ts';
import { post } from './http.ts';
import type { ClientSettings } from './options.ts';
import { fromResponse } from './server-errors.ts';
import type { Tokens } from './token.ts';
import type { Sink, SubscriptionRequest, SubscriptionResult, Transport } from './transport.ts';

/** Each subscription is a request of its own, whose answer does not end. */
export function createSseTransport(settings: ClientSettings, tokens: Tokens): Transport {
  const open = new Set<AbortController>();
  return {
    subscribe: (request, sink) => {
      const leaving = new AbortController();
      open.add(leaving);
      void follow(settings, tokens, request, sink, leaving).then((why) => {
        open.delete(leaving);
        if (!leaving.signal.aborted) sink.ended(why);
        leaving.abort();
      });
      return () => leaving.abort();
    },
    close: () => {
      for (const leaving of open) leaving.abort();
    },
  };
}

/** Reads to the end; never rejects. @returns why it ended, null when the server said that it is complete */
async function follow(
  settings: ClientSettings,
  tokens: Tokens,
  request: SubscriptionRequest,
  sink: Sink,
  leaving: AbortController,
): Promise<MillraceError | null> {
  const silence = new AbortController();
  const signal = AbortSignal.any([leaving.signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), settings.silenceMs);
  try {
    const response = await post(settings, tokens, request, { accept: 'text/event-stream', signal });
    if (!isEventStream(response)) return await fromResponse(response);
    sink.opened();
    const parser = new EventStreamParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return new MillraceError('INTERRUPTED', 'The stream broke off', { recovery: 'retry' });
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), settings.silenceMs);
      for (const { event, data } of parser.push(decoder.decode(value, { stream: true }))) {
        if (leaving.signal.aborted || event === 'complete') return null;
        if (event === 'next') sink.next(JSON.parse(data) as SubscriptionResult);
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

function isEventStream(response: Response): response is Response & { body: NonNullable<Response['body']> } {
  const type = response.headers.get('content-type') ?? '';
  return response.ok && type.startsWith('text/event-stream') && response.body !== null;
}
