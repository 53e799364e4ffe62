import { isIP } from 'node:net';
import { OutgoingError } from './outgoing-error.ts';
import { isWithin, mayReach, type Network, parseNetworks } from './public-address.ts';

/** Where requests may go. */
export interface OutgoingPolicy {
  /** Networks that may be reached although they are not public, on any port. */
  readonly allowed: readonly Network[];
  /** Ports of public addresses. */
  readonly ports: ReadonlySet<number>;
}

/** What `policyOf` takes; `Config` has these. */
export interface OutgoingSettings {
  readonly outgoingAllowed: readonly string[];
  readonly outgoingPorts: readonly string[];
}

/** The policy for addresses that tenants give. */
export function policyOf(settings: OutgoingSettings): OutgoingPolicy {
  return {
    allowed: parseNetworks(settings.outgoingAllowed),
    ports: new Set(settings.outgoingPorts.map(Number)),
  };
}

/** Longest URL that is taken. */
export const MAX_URL_LENGTH = 4_096;

/**
 * A URL that may be asked, as far as it shows without a look-up: scheme, no credentials, port, and a literal
 * address. For the address behind a name, `checkTarget` has the last word when the connection is made.
 * @throws OutgoingError `InvalidUrl`, `AddressRefused`
 */
export function checkUrl(given: string, policy: OutgoingPolicy): URL {
  if (given.length > MAX_URL_LENGTH)
    throw new OutgoingError(
      'InvalidUrl',
      `The URL has ${given.length} characters, allowed: ${MAX_URL_LENGTH}`,
    );
  const url = URL.parse(given);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw new OutgoingError('InvalidUrl', 'The URL is none, allowed: an http:// or https:// URL');
  if (url.username !== '' || url.password !== '')
    throw new OutgoingError('InvalidUrl', 'The URL holds a user name or a password, allowed: a URL without');
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) checkTarget(host, host, portOf(url), policy);
  // A name may turn out to lie in an allowed network, where any port is; without such networks the port
  // decides now.
  else if (policy.allowed.length === 0 && !policy.ports.has(portOf(url)))
    throw portRefused(host, portOf(url), policy);
  return url;
}

/**
 * A URL that somebody gave, by `checkUrl`, or why it may not be asked: each use-case has words of its own for
 * that.
 */
export function urlOrReason(given: string, settings: OutgoingSettings): URL | OutgoingError {
  try {
    return checkUrl(given, policyOf(settings));
  } catch (error) {
    if (error instanceof OutgoingError) return error;
    throw error;
  }
}

/**
 * The check of one address just before it is connected to.
 * @throws OutgoingError `AddressRefused`
 */
export function checkTarget(host: string, address: string, port: number, policy: OutgoingPolicy): void {
  if (isWithin(address, policy.allowed)) return;
  if (!mayReach(address, [])) {
    const shown = host === address ? host : `${host} (${address})`;
    throw new OutgoingError('AddressRefused', `${shown} is not a public address`);
  }
  if (!policy.ports.has(port)) throw portRefused(host, port, policy);
}

/** A host as `net` takes it: an IPv6 literal without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function portRefused(host: string, port: number, policy: OutgoingPolicy): OutgoingError {
  return new OutgoingError(
    'AddressRefused',
    `Port ${port} of ${host} is not allowed, allowed: ${[...policy.ports].join(', ')}`,
  );
}
