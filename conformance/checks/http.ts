import { serverAudits } from 'graphql-http';
import type { Level, Report } from '../report.ts';
import type { Target } from '../target.ts';

/** GraphQL over HTTP: the audits that the working group's own `graphql-http` brings. */
export async function checkHttp({ url, headers }: Target, report: Report): Promise<void> {
  const fetchFn = (input: string | URL, init: RequestInit = {}): Promise<Response> =>
    fetch(input, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } });
  for (const { id, name, fn } of serverAudits({ url, fetchFn })) {
    const result = await fn();
    const [level, ...what] = name.split(' ');
    const detail = result.status === 'ok' ? '' : `${result.status}: ${result.reason}`;
    report.add(id, level as Level, what.join(' '), result.status === 'ok', detail);
  }
}
