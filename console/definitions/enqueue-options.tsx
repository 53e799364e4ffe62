import { useId } from 'react';
import type { EnqueueJobInput, MillraceError } from '../../src/client/index.ts';

export interface Options {
  readonly scheduledFor?: string;
  readonly priority?: string;
  readonly subject?: string;
  readonly correlationId?: string;
  readonly dedupeKey?: string;
  readonly tags?: string;
}

const FIELDS: readonly { name: keyof Options; label: string; type: string; hint?: string }[] = [
  { name: 'scheduledFor', label: 'Not before (your time zone)', type: 'datetime-local' },
  { name: 'priority', label: 'Priority', type: 'number', hint: '100' },
  { name: 'subject', label: 'Subject', type: 'text', hint: 'order:42' },
  { name: 'correlationId', label: 'Correlation id', type: 'text' },
  { name: 'dedupeKey', label: 'Dedupe key', type: 'text' },
  { name: 'tags', label: 'Tags', type: 'text', hint: 'night, import' },
];

/** What else a job may be given. */
export function EnqueueOptions({
  value,
  onChange,
  error,
}: {
  readonly value: Options;
  readonly onChange: (value: Options) => void;
  readonly error: MillraceError | null;
}) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>Options</h2>
      </header>
      <div className="card-body fields">
        {FIELDS.map(({ name, label, type, hint }) => {
          const isWrong = error?.field?.startsWith(name) === true;
          return (
            <label key={name} className="field">
              {label}
              <input
                type={type}
                placeholder={hint}
                value={value[name] ?? ''}
                aria-invalid={isWrong}
                onChange={({ target }) => onChange({ ...value, [name]: target.value })}
              />
              {isWrong && <span className="field-problem">{error?.message}</span>}
            </label>
          );
        })}
      </div>
    </section>
  );
}

export function optionsInput({
  scheduledFor,
  priority,
  subject,
  correlationId,
  dedupeKey,
  tags,
}: Options): Partial<EnqueueJobInput> {
  const at = subject?.indexOf(':') ?? -1;
  return {
    ...(scheduledFor && { scheduledFor: new Date(scheduledFor).toISOString() }),
    ...(priority && { priority: Number(priority) }),
    ...(subject && {
      subject: { type: at < 0 ? subject : subject.slice(0, at), key: at < 0 ? '' : subject.slice(at + 1) },
    }),
    ...(correlationId && { correlationId }),
    ...(dedupeKey && { dedupeKey }),
    ...(tags && {
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    }),
  };
}
