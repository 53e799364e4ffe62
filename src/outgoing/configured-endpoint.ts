import { Agent, fetch } from 'undici';
import { OutgoingError, toOutgoingError } from './outgoing-error.ts';
import { readCapped } from './read-capped.ts';

/** A call of a service that the operator has configured. */
export interface EndpointCall {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; a GET without. */
  readonly json?: unknown;
  readonly timeoutMs: number;
  /** Default 16 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface EndpointAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const agent = new Agent({ keepAliveTimeout: 4_000 });

/**
 * Calls a service of the configuration, which may be anywhere: on this machine, in a private network. Never
 * for an address that a tenant gave. It follows no redirect and takes no proxy from the environment.
 * @throws OutgoingError; a status of 400 or above is an answer
 */
export async function callEndpoint(call: EndpointCall): Promise<EndpointAnswer> {
  const { url, headers, json, timeoutMs, maxBytes = DEFAULT_MAX_BYTES } = call;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([deadline, call.signal]) : deadline;
  const { host } = new URL(url);
  try {
    const response = await fetch(url, {
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? null : JSON.stringify(json),
      redirect: 'manual',
      credentials: 'omit',
      signal,
      dispatcher: agent,
    });
    const { body } = await readCapped(response, maxBytes, false, host);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: Buffer.from(body).toString('utf8'),
    };
  } catch (error) {
    if (call.signal?.aborted === true)
      throw new OutgoingError('Aborted', `The call of ${host} was aborted`, error);
    throw toOutgoingError(deadline.aborted ? deadline.reason : error, host);
  }
}
