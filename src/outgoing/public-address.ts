import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Serves metadata to the virtual machines of a large cloud; public by its number only. */
const CLOUD_PLATFORM = '168.63.129.16';

/** A network as `matchesAny` takes it. */
export type Network = readonly [Address, number];

/**
 * Networks from their texts; a single address is a network of one.
 * @throws Error for a text that is neither
 */
export function parseNetworks(texts: readonly string[]): readonly Network[] {
  return texts.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128] as const;
  });
}

/**
 * Whether an address is public, or lies in one of the allowed networks. An IPv4 address within an IPv6 one
 * (mapped, NAT64, 6to4) is judged by itself.
 * @param address a literal without brackets; anything else is not public
 */
export function mayReach(address: string, allowed: readonly Network[]): boolean {
  const target = targetOf(address);
  return target !== null && (isPublic(target) || matchesAny(target, allowed));
}

/** Whether an address lies in one of the networks. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  const target = targetOf(address);
  return target !== null && matchesAny(target, networks);
}

/** The address that packets in the end go to; null for text that is no address. */
function targetOf(address: string): Address | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address();
  const bytes = parsed.toByteArray();
  if (parsed.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12));
  return parsed.range() === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : parsed;
}

function isPublic(target: Address): boolean {
  if (target.range() !== 'unicast' || target.toString() === CLOUD_PLATFORM) return false;
  return !(target instanceof ipaddr.IPv6) || target.match(GLOBAL_IPV6);
}

function matchesAny(target: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => {
    if (target instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && target.match(network, bits);
    return network instanceof ipaddr.IPv6 && target.match(network, bits);
  });
}
