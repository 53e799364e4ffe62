import { optionalInteger, optionalText, text } from './settings.ts';

/** Who may read the figures of a process, and where. */
export const METRICS_SETTINGS = {
  metricsToken: optionalText(
    'MILLRACE_METRICS_TOKEN',
    'Bearer token that may read /metrics, at least 16 characters; super admins always may.',
    /^[\x21-\x7e]{16,}$/,
    'at least 16 printable characters without spaces',
    true,
  ),
  metricsPort: optionalInteger(
    'MILLRACE_METRICS_PORT',
    'Port that serves nothing but /metrics, for workers and servers alike; without it only the API does. 0 takes any free one.',
    0,
    65_535,
  ),
  metricsHost: text(
    'MILLRACE_METRICS_HOST',
    'Address of that port; one that other machines reach takes a MILLRACE_METRICS_TOKEN.',
    '127.0.0.1',
    /^\S+$/,
    'a host name or address',
  ),
} as const;
