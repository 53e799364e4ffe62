import { machineMs } from '../measuring/clock.ts';

// A worker over HTTP, as one in another language is: claims by long poll, says when it has a job, and
// completes it. Ends with its stdin.

const [base = '', token = '', definitionKey = ''] = process.argv.slice(2);

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

interface Claimed {
  readonly job_id: string;
  readonly run_no: number;
  readonly token: string;
  readonly payload: { readonly message: string };
}

process.stdin.resume().once('end', () => process.exit());
process.stdout.write('ready\n');
for (;;) {
  const { jobs } = await post('/worker/claim', {
    worker: 'bench',
    job_types: [definitionKey],
    wait_seconds: 60,
  });
  const atMs = machineMs();
  for (const { job_id: id, run_no, token: lease, payload } of jobs as readonly Claimed[]) {
    process.stdout.write(`${payload.message} ${atMs}\n`);
    await post(`/worker/jobs/${id}/complete`, { run_no, token: lease });
  }
}
