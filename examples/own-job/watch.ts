import { createMillraceClient } from 'millrace/client';

// Enqueues one mail and watches it through the API: node watch.ts http://127.0.0.1:4000/graphql <token>
// ann@example.com

const [url = '', token = '', to = 'ann@example.com'] = process.argv.slice(2);

// The client knows nothing of the server’s code: the same runs in a browser.
const client = createMillraceClient({ url, token });
const { job } = await client.enqueue({ definition: 'send-mail', payload: { to, subject: 'Hello' } });
for await (const state of client.watchJob(job.id, { untilFinal: true })) {
  process.stdout.write(`${state?.status} ${JSON.stringify(state?.result ?? null)}\n`);
}
client.close();
