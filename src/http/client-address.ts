import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Nobody has more proxies in a row. */
const MAX_HOPS = 20;

/**
 * Where requests come from: the peer, or where the peer is a trusted proxy, what it says of the one before
 * it, and so on. What others write into the header is not believed.
 */
export class ClientAddresses {
  readonly #trusted = new BlockList();

  /** @param trustedProxies addresses and networks */
  constructor(trustedProxies: readonly string[]) {
    for (const entry of trustedProxies) {
      const [address = '', prefix] = entry.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(prefix), family);
    }
  }

  /**
   * One text for all that one client can take: of IPv6 the network of 64 bits, since each of its hosts has
   * that many addresses.
   */
  of({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
    let address = plain(socket.remoteAddress ?? '');
    const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').reverse();
    for (const hop of forwarded.slice(0, MAX_HOPS)) {
      const before = plain(hop.trim());
      if (!this.#isTrusted(address) || isIP(before) === 0) break;
      address = before;
    }
    return isIPv6(address) ? networkOf(address) : address;
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

/** An IPv4 address that was written as one of IPv6, in its own form. */
function plain(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...middle, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
