import {
  CancelJob,
  EnqueueJob,
  FindJob,
  JobChanged,
  JobChanges,
  JobLog,
  JobSummaryChanged,
  RetryJob,
  VideoChanged,
} from './operations.gen.ts';

const OPERATIONS = [
  CancelJob,
  EnqueueJob,
  FindJob,
  JobChanged,
  JobChanges,
  JobLog,
  JobSummaryChanged,
  RetryJob,
  VideoChanged,
];

/** Every document that the client sends, by its name: what to register for keys that take registered operations only. */
export const clientDocuments: Readonly<Record<string, string>> = Object.fromEntries(
  OPERATIONS.map(({ name, text }) => [name, text]),
);
