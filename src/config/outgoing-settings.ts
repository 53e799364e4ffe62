import { NETWORK } from './networks.ts';
import { integer, list, text } from './settings.ts';

const PORTS = {
  test: (given: string) => /^\d{1,5}$/.test(given) && Number(given) > 0 && Number(given) <= 65_535,
};

/** Where requests to addresses of tenants may go. */
export const OUTGOING_SETTINGS = {
  outgoingAllowed: list(
    'MILLRACE_OUTGOING_ALLOWED',
    'Addresses and networks that are not public, such as 10.2.0.0/16, to which requests for tenants may go all the same, on any port; comma-separated. See outgoing.md.',
    NETWORK,
    'addresses and networks as 10.0.0.0/8 or fd00::/8, comma-separated',
  ),
  outgoingPorts: {
    ...list(
      'MILLRACE_OUTGOING_PORTS',
      'Ports of public addresses to which requests for tenants may go; comma-separated.',
      PORTS,
      'ports from 1 to 65535, comma-separated',
    ),
    defaultText: '80,443',
  },
  outgoingUserAgent: text(
    'MILLRACE_OUTGOING_USER_AGENT',
    'How requests for tenants name their sender; robots.txt is read for the word before its first "/".',
    'millrace/1.0',
    /^[\x21-\x7e][\x20-\x7e]{0,199}$/,
    '1 to 200 visible ASCII characters',
  ),
  outgoingMaxRedirects: integer(
    'MILLRACE_OUTGOING_MAX_REDIRECTS',
    'Redirects that a request for a tenant follows, each one checked.',
    5,
    0,
    20,
  ),
} as const;
