import { JOB_STATUSES } from '../../src/core/job.ts';
import { TRANSITIONS } from '../../src/core/states.ts';

const REASONS: Readonly<Record<string, string>> = {
  'queued-running': 'claim',
  'queued-canceled': 'cancel, failed parent, expiry',
  'running-succeeded': 'done, skipped',
  'running-failed': 'permanent error',
  'running-dead_letter': 'attempts exhausted, poison',
  'running-canceled': 'cancel received, handler canceled',
  'running-queued': 'retry, snooze, hand-back, lost lease',
  'failed-queued': "operator's retry",
  'dead_letter-queued': "operator's retry",
  'canceled-queued': "operator's retry",
};

/** The diagram and the table of the legal moves, from the table in the code. */
export function statesPage(): string {
  const moves = JOB_STATUSES.flatMap((from) =>
    TRANSITIONS[from].map((to) => ({ from, to, why: REASONS[`${from}-${to}`] ?? '' })),
  );
  return `# The states of a job

\`\`\`mermaid
stateDiagram-v2
  [*] --> queued: enqueue
${moves.map(({ from, to, why }) => `  ${from} --> ${to}: ${why}`).join('\n')}
  succeeded --> [*]
\`\`\`

| from | to | by |
| --- | --- | --- |
${moves.map(({ from, to, why }) => `| \`${from}\` | \`${to}\` | ${why} |`).join('\n')}

Every other move is refused by the database itself (trigger \`jobs_legal_move\`), whichever caller sent it; a test holds the
trigger against this table. A succeeded job never changes again.

## What is counted

| column | grows | reset |
| --- | --- | --- |
| \`run_no\` | at each claim; with the lease token it is the fence that every write of a worker carries | never |
| \`attempt_count\` | when a run ends in an error, a timeout, or a lost lease that its worker had alone | operator's retry |
| \`lost_lease_count\` | when a lease ends before the run has settled; over 0 the job runs alone, over 3 it is poison | when a run settles; operator's retry |
| \`snooze_count\` | when a handler asks to be run again later; spends no attempt | operator's retry |
| \`version\` | at each change of the row; a watcher never sees it go back | never |

A run that is handed back at shutdown spends nothing. A job that is over its budget is claimed again by a worker that knows
it, which settles it as \`dead_letter\` without running its handler.

## Cancel

A queued job is canceled at once. A running one is asked: \`isCancelRequested\` is true, its status stays \`running\`, its worker
notices it, aborts the handler and settles it as \`canceled\`. A success that comes after the request wins. If the worker is
gone, the job goes back to the queue when its lease ends and is ended as \`canceled\` without another run.

## Canceled by the queue itself

| \`reason\` | why |
| --- | --- |
| \`parent_failed\` | a job that it waits for did not succeed, and the edge between them says \`cancel\` |
| \`skipped\` | the same, and the edge says \`skip\`; its own children take that for success |
| \`expired\` | it had not begun by its \`expires_at\` |

Such a job is **doomed** first: still \`queued\`, with \`isCancelRequested\`, and \`waitingFor\` says \`DOOMED\`. It is never given to a handler. Mostly
it ends within milliseconds, by the process that doomed it; else a worker ends it, or the maintenance leader, also where the
definition is paused or no worker knows it. An operator's retry of the parent brings back what ended as \`parent_failed\` or \`skipped\`
because of it ([dependencies.md](dependencies.md)).
`;
}
