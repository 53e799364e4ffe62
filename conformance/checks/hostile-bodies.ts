import { expectEqual, fail, type Report } from '../report.ts';
import type { Target } from '../target.ts';
import type { Asking } from './asking.ts';

const MAX_BATCHED_ANSWERS = 20;
const HUGE_BYTES = 10 * 1024 * 1024;

/** Bodies that are too much or malformed, and requests that a foreign page could make a browser send. */
export async function checkHostileBodies(
  { url, headers, safeField }: Target,
  report: Report,
  { ask, serves }: Asking,
): Promise<void> {
  const query = `{ ${safeField} }`;
  await report.check('H30', 'MUST', 'a batch of 100 operations is refused', async () => {
    const { status, json } = await ask(Array.from({ length: 100 }, () => ({ query })));
    if (status >= 500) fail(`status ${status}`);
    const answered = Array.isArray(json) ? json.filter((answer) => answer?.data).length : 0;
    if (answered > MAX_BATCHED_ANSWERS) fail(`${answered} answers`);
  });
  await report.check('H31', 'MUST', 'a body of more than 10 MiB is refused without a stall', async () => {
    const body = { query, variables: { x: 'y'.repeat(HUGE_BYTES) } };
    // A server may hang up in the middle of it.
    const answer = await ask(body).catch(() => null);
    if (answer?.status === 200 || (answer?.status ?? 0) >= 500) fail(`status ${answer?.status}`);
  });
  await report.check('H32', 'MUST', 'broken JSON is answered with 400', async () =>
    expectEqual((await ask('{"query": "{')).status, 400, 'status'),
  );
  await report.check('H33', 'MUST', '__proto__ in variables does no harm', async () => {
    const variables = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    await ask(`{"query":${JSON.stringify(query)},"variables":${variables}}`);
    await serves();
  });
  await report.check('H34', 'MUST', 'bodies that are no request are refused', async () => {
    for (const body of ['null', '1', '"x"', '[]', '[null]', '{}']) {
      const { status, json, text } = await ask(body);
      if (status >= 500 || (status === 200 && json?.data)) fail(`${body}: ${status} ${text.slice(0, 80)}`);
    }
  });

  /**
   * The types that HTML can send without asking first, or none; as if the browser added the credentials by
   * itself.
   */
  const forged = async (body: string, type: string | null): Promise<void> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...(type !== null && { 'content-type': type }) },
      body: new Blob([body]),
    });
    if (response.status < 400) fail(`status ${response.status}`);
  };
  const json = JSON.stringify({ query });
  await report.check('H40', 'MUST', 'a forged POST as text/plain is refused', () =>
    forged(json, 'text/plain'),
  );
  await report.check('H41', 'MUST', 'a forged POST as a form is refused', () =>
    forged(`query=${encodeURIComponent(query)}`, 'application/x-www-form-urlencoded'),
  );
  await report.check('H42', 'MUST', 'a forged multipart POST is refused', () => {
    const part = `--B0\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${json}\r\n--B0--\r\n`;
    return forged(part, 'multipart/form-data; boundary=B0');
  });
  await report.check('H43', 'MUST', 'a forged POST without a type is refused', () => forged(json, null));
  await report.check('H44', 'MUST', 'a mutation by GET is refused', async () => {
    const { status } = await fetch(`${url}?query=${encodeURIComponent('mutation { __typename }')}`, {
      headers: { ...headers, accept: 'application/json' },
    });
    if (status < 400 || status >= 500) fail(`status ${status}`);
  });
  await report.check('H45', 'SHOULD', 'no foreign origin is let in with credentials', async () => {
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    });
    const origin = response.headers.get('access-control-allow-origin');
    const isLetIn = origin === '*' || origin === 'http://evil.example';
    if (isLetIn && response.headers.get('access-control-allow-credentials') === 'true') fail(`${origin}`);
  });
}
