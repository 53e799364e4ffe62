import { createClient } from 'millrace';
import { sendMail } from './jobs/send-mail.ts';

// Enqueues one mail and waits for it: DATABASE_URL=postgres://… node enqueue.ts ann@example.com

const client = createClient({
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  tenant: 'demo',
  createTenant: true,
  createdBy: 'service:example',
});
try {
  const job = await client.enqueueAndWait(sendMail, {
    to: process.argv[2] ?? 'ann@example.com',
    subject: 'Hello',
    text: 'Written by a job.',
  });
  process.stdout.write(
    `${JSON.stringify({ status: job.status, result: job.result, error: job.lastError })}\n`,
  );
} finally {
  await client.close();
}
