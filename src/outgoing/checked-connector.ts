import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { OutgoingError } from './outgoing-error.ts';
import { bareHost, checkTarget, type OutgoingPolicy } from './outgoing-policy.ts';

/** One address of a host. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>;

/** What the system's resolver knows, /etc/hosts included. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found),
    );
  });

/**
 * Connects to checked addresses only. A name is resolved once for a connection and refused if any of its
 * addresses may not be reached; the connection then goes to exactly the addresses that were checked, so that
 * a second answer of the name server changes nothing. A literal address, for which Node asks no resolver, is
 * checked by itself.
 * @param connectTimeoutMs for name, connection and TLS together
 */
export function checkedConnector(
  policy: OutgoingPolicy,
  resolve: Resolve,
  connectTimeoutMs: number,
): buildConnector.connector {
  return (options, done) => {
    const host = bareHost(options.hostname);
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const connected = (socket: Parameters<typeof done>[1]) => {
      try {
        // A last look at where the socket in fact ended up.
        if (socket !== null && socket.remoteAddress !== undefined)
          checkTarget(host, socket.remoteAddress, port, policy);
        (done as (error: null, socket: unknown) => void)(null, socket);
      } catch (error) {
        socket?.destroy();
        done(error as Error, null);
      }
    };
    try {
      if (isIP(host) !== 0) checkTarget(host, host, port, policy);
      const connect = buildConnector({
        timeout: connectTimeoutMs,
        lookup: checkedLookup(policy, resolve, port),
        allowH2: false,
      } as buildConnector.BuildOptions);
      connect(options, (error, socket) => (error ? done(error, null) : connected(socket)));
    } catch (error) {
      done(error as Error, null);
    }
  };
}

function checkedLookup(policy: OutgoingPolicy, resolve: Resolve, port: number): LookupFunction {
  return (host, options, done) => {
    resolve(host)
      .then((found) => {
        if (found.length === 0) throw new OutgoingError('HostNotFound', `${host} has no address`);
        for (const { address } of found) checkTarget(host, address, port, policy);
        return found;
      })
      .then(
        (found) => {
          const [first] = found;
          if (options.all === true)
            done(
              null,
              found.map(({ address, family }) => ({ address, family })),
            );
          else done(null, first?.address ?? '', first?.family);
        },
        (error: NodeJS.ErrnoException) => done(error, '', 0),
      );
  };
}
