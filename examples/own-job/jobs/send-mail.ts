import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineJob, done, job, PermanentError, Type } from 'millrace';

export const sendMail = defineJob({
  key: 'send-mail',
  description: 'Puts a mail into the outbox folder.',
  payload: Type.Object(
    {
      to: Type.String({ format: 'email' }),
      subject: Type.String({ minLength: 1, maxLength: 200 }),
      text: Type.String({ default: '' }),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 30,
  maxAttempts: 5,
  enqueueRole: 'member',
});

const OUTBOX = 'outbox';

export default job(sendMail, async ({ payload, jobId, log, signal }) => {
  const { to, subject, text } = payload;
  if (to.endsWith('.invalid')) throw new PermanentError('NoSuchDomain', `There is no mail server for ${to}`);
  await mkdir(OUTBOX, { recursive: true });
  // By the job's id, and renamed when it is whole: a second run of the same job leaves one mail, not two.
  const file = join(OUTBOX, `${jobId}.eml`);
  await writeFile(`${file}.part`, `To: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`, { signal });
  await rename(`${file}.part`, file);
  log.info('mail written', { file });
  return done({ file });
});
