import { parseJson } from '../../../src/core/parse-json.ts';
import { askEndpoint } from './ask-endpoint.ts';
import type { PollAnswer } from './provider.ts';

export interface SpeechkitOptions {
  readonly apiKey: string;
  readonly folderId: string | null;
  readonly model: string;
  /** Null: the service's own. */
  readonly url: string | null;
  readonly operationUrl: string;
  /** The bucket that the service reads; null: the sound itself is sent. */
  readonly audioUrl: string | null;
}

/**
 * Codes of gRPC that another operation may do without: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED,
 * INTERNAL, UNAVAILABLE.
 */
const PASSING_CODES = new Set([4, 8, 10, 13, 14]);

export function speechkitHeaders({ apiKey, folderId }: SpeechkitOptions): Readonly<Record<string, string>> {
  return {
    authorization: `Api-Key ${apiKey}`,
    'content-type': 'application/json',
    ...(folderId !== null && { 'x-folder-id': folderId }),
  };
}

/**
 * Yandex Cloud answers a request whose key it knows with the operation of the first one; SpeechKit by its
 * documentation not yet, gateways may.
 */
export function requestHeaders(requestId: string): Readonly<Record<string, string>> {
  return { 'idempotency-key': requestId, 'x-client-request-id': requestId };
}

/** The operation as it stands; `done` carries its response, which v2 has the result in. */
export async function operationAnswer(
  options: SpeechkitOptions,
  operationId: string,
  signal: AbortSignal,
): Promise<Exclude<PollAnswer, { state: 'done' }> | { readonly state: 'done'; readonly response: unknown }> {
  const text = await askEndpoint({
    provider: 'SpeechKit',
    url: `${options.operationUrl}/operations/${encodeURIComponent(operationId)}`,
    headers: speechkitHeaders(options),
    secret: options.apiKey,
    signal,
  });
  const operation = parseJson(text) as {
    done?: boolean;
    error?: { code?: number; message?: string };
    response?: unknown;
  };
  if (operation.error !== undefined)
    return {
      state: 'failed',
      type: 'SpeechFailed',
      message: `SpeechKit could not transcribe it: ${String(operation.error.message ?? 'no message').slice(0, 300)}`,
      retryable: PASSING_CODES.has(Number(operation.error.code)),
    };
  return operation.done === true ? { state: 'done', response: operation.response } : { state: 'pending' };
}

/** SpeechKit's name of a language; it detects the language where none is given. */
export function languageOf(language: string | null): string {
  if (language === null) return 'auto';
  const [main = '', region] = language.split('-');
  const REGIONS: Readonly<Record<string, string>> = {
    en: 'US',
    ru: 'RU',
    de: 'DE',
    fr: 'FR',
    es: 'ES',
    it: 'IT',
    tr: 'TR',
    kk: 'KZ',
    pl: 'PL',
    nl: 'NL',
    sv: 'SE',
    fi: 'FI',
    he: 'IL',
  };
  return region === undefined && REGIONS[main] !== undefined ? `${main}-${REGIONS[main]}` : language;
}
