import type { Attempt } from '../api/operations.gen.ts';
import { Badge } from '../parts/status.tsx';
import { duration } from '../parts/time.ts';
import { At } from '../parts/when.tsx';

const TONES = {
  RUNNING: 'info',
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  TIMEOUT: 'bad',
  LOST: 'warn',
  INTERRUPTED: 'warn',
  CANCELED: 'warn',
  SKIPPED: 'warn',
} as const;

/** Each run with its error, and of commands the exit code and the ends of the output. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <section className="card" aria-labelledby="attempts">
      <header className="card-head">
        <h2 id="attempts">Runs</h2>
        <span className="muted small num">{attempts.length}</span>
      </header>
      <ol className="attempts">
        {attempts.toReversed().map((attempt, index, all) => (
          <Run key={attempt.attemptNo} attempt={attempt} before={all[index + 1]} />
        ))}
      </ol>
    </section>
  );
}

function Run({ attempt, before }: { readonly attempt: Attempt; readonly before: Attempt | undefined }) {
  const { attemptNo, status, worker, claimedAt, wallMs, cpuMs, exitCode, signal, pid, error } = attempt;
  const isSame = error !== null && before?.error?.message === error.message;
  const facts = [
    wallMs !== null && `${duration(wallMs)} wall`,
    cpuMs !== null && `${duration(cpuMs)} CPU`,
    exitCode !== null && `exit ${exitCode}`,
    signal !== null && `signal ${signal}`,
    pid !== null && `pid ${pid}`,
    worker,
  ].filter(Boolean);
  return (
    <li>
      <p className="row">
        <strong>Run {attemptNo}</strong>
        <Badge tone={TONES[status]}>{status.toLowerCase()}</Badge>
        <span className="muted small grow">
          <At at={claimedAt} />
        </span>
        <span className="muted small num">{facts.join(' · ')}</span>
      </p>
      {error !== null && (
        <p className="attempt-error">
          <strong>{error.type}</strong>{' '}
          {isSame ? <span className="muted">the same error as the run before</span> : error.message}
        </p>
      )}
      <Tail name="stderr" text={attempt.stderrTail} />
      <Tail name="stdout" text={attempt.stdoutTail} />
    </li>
  );
}

function Tail({ name, text }: { readonly name: string; readonly text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <details>
      <summary className="small">End of {name}</summary>
      <pre className="code">{text}</pre>
    </details>
  );
}
