import { createWorker } from 'millrace';
import sendMail from './jobs/send-mail.ts';

// A worker inside a program of one's own, without the API: DATABASE_URL=postgres://… node worker.ts

const worker = createWorker({
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  jobs: [sendMail],
  concurrency: 4,
  migrate: true,
});
await worker.start();
process.stdout.write('worker ready\n');
process.once('SIGINT', () => void worker.stop());
