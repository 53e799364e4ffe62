import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { MillraceError } from '../../src/client/index.ts';
import { useEnqueue } from '../../src/react/index.ts';
import { fetchRawData } from '../api/raw.ts';
import { layOut } from '../api/raw-json.ts';
import { ErrorNote, Skeleton } from '../parts/notes.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { EnqueueOptions, type Options, optionsInput } from './enqueue-options.tsx';
import { JsonField } from './json-field.tsx';

const SchemaForm = lazy(async () => ({ default: (await import('./schema-form.tsx')).SchemaForm }));

/**
 * Enqueues a job: its payload from a form that its schema makes, or as JSON; with the same payload either
 * way.
 */
export function EnqueueForm({
  definition,
  schema,
  copyOf,
}: {
  readonly definition: string;
  readonly schema: unknown;
  readonly copyOf: string | undefined;
}) {
  const { enqueue, job, isPending, error, reset } = useEnqueue();
  const hasForm = isObjectSchema(schema);
  const [isForm, setForm] = useState(hasForm && copyOf === undefined);
  const [payload, setPayload] = useState<unknown>(defaultsOf(schema));
  const [text, setText] = useState(() => JSON.stringify(defaultsOf(schema), null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const [options, setOptions] = useState<Options>({});
  const isCopied = useCopy(copyOf, setText);
  const send = (given: unknown): void =>
    void enqueue({ definition, payload: given, ...optionsInput(options) });
  const sendText = (): void => {
    const read = readJson(text);
    setProblem('problem' in read ? read.problem : null);
    if ('value' in read) send(read.value);
  };
  const change = (toForm: boolean): void => {
    const read = readJson(text);
    setProblem(toForm && 'problem' in read ? read.problem : null);
    if (toForm && 'problem' in read) return;
    if (toForm && 'value' in read) setPayload(read.value);
    if (!toForm) setText(JSON.stringify(payload ?? {}, null, 2));
    setForm(toForm);
  };
  if (copyOf !== undefined && !isCopied) return <Skeleton />;
  return (
    <div className="columns">
      <section className="card" aria-label="Payload">
        <header className="card-head">
          <h2>Payload</h2>
          {hasForm && (
            <fieldset className="segments">
              <legend className="visually-hidden">How the payload is written</legend>
              <button type="button" aria-pressed={isForm} onClick={() => change(true)}>
                Form
              </button>
              <button type="button" aria-pressed={!isForm} onClick={() => change(false)}>
                JSON
              </button>
            </fieldset>
          )}
        </header>
        <div className="card-body">
          {isForm ? (
            <Suspense fallback={<Skeleton rows={4} />}>
              <SchemaForm
                schema={schema}
                value={payload}
                problems={error?.problems ?? []}
                isPending={isPending}
                onChange={setPayload}
                onSubmit={send}
              />
            </Suspense>
          ) : (
            <form
              className="fields"
              onSubmit={(event) => {
                event.preventDefault();
                sendText();
              }}
            >
              <JsonField
                label="Payload as JSON"
                value={text}
                onChange={setText}
                problem={problem}
                rows={14}
              />
              <div className="row">
                <button type="submit" className="button primary" disabled={isPending}>
                  Enqueue
                </button>
              </div>
            </form>
          )}
          {error !== null && <ErrorNote error={error} />}
        </div>
      </section>
      <div className="stack">
        {job != null && (
          <section className="card" aria-label="Enqueued job">
            <div className="card-body tight">
              <p className="row">
                <strong className="grow">Enqueued</strong> <StatusBadge status={job.status} />
              </p>
              {!job.isFinal && (
                <progress
                  className="wide"
                  max={100}
                  value={job.progress?.percent ?? undefined}
                  aria-label="Progress"
                />
              )}
              <p className="row">
                <Link to="/jobs/$jobId" params={{ jobId: job.uuid }} search={{}} className="grow">
                  Open it
                </Link>
                <button type="button" className="button small quiet" onClick={reset}>
                  Another one
                </button>
              </p>
            </div>
          </section>
        )}
        <EnqueueOptions
          value={options}
          onChange={setOptions}
          error={error instanceof MillraceError ? error : null}
        />
      </div>
    </div>
  );
}

function useCopy(copyOf: string | undefined, setText: (text: string) => void): boolean {
  const { data, isError } = useQuery({
    queryKey: ['job-data', copyOf],
    queryFn: ({ signal }) => fetchRawData(copyOf ?? '', signal),
    enabled: copyOf !== undefined,
  });
  useEffect(() => {
    if (data !== undefined) setText(layOut(data.payload));
  }, [data, setText]);
  return data !== undefined || isError;
}

function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function isObjectSchema(schema: unknown): boolean {
  const given = schema as { type?: unknown; properties?: object } | null;
  return given?.type === 'object' && Object.keys(given.properties ?? {}).length > 0;
}

function defaultsOf(schema: unknown): unknown {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { default?: unknown }> };
  const entries = Object.entries(properties).filter(([, each]) => each.default !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, each.default]));
}
