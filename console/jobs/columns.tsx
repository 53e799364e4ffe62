import { Columns3 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { duration, useNow } from '../parts/time.ts';
import { When } from '../parts/when.tsx';
import type { ListedJob } from './listed-job.ts';

export interface Column {
  readonly name: string;
  readonly title: string;
  readonly show: (job: ListedJob) => ReactNode;
}

/** What a row may show beside its state and its definition. */
export const COLUMNS: readonly Column[] = [
  {
    name: 'subject',
    title: 'Subject',
    show: ({ subject }) => (subject === null ? '' : `${subject.type}:${subject.key}`),
  },
  { name: 'source', title: 'Source', show: ({ source }) => source?.toLowerCase() ?? '' },
  {
    name: 'attempts',
    title: 'Attempts',
    show: (job) => `${attemptsBegun(job)} / ${job.maxAttempts}`,
  },
  { name: 'queued', title: 'Queued', show: ({ queuedAt }) => <When at={queuedAt} /> },
  { name: 'started', title: 'Started', show: ({ startedAt }) => <When at={startedAt} /> },
  { name: 'finished', title: 'Finished', show: ({ finishedAt }) => <When at={finishedAt} /> },
  { name: 'takes', title: 'Takes', show: (job) => <Takes job={job} /> },
  { name: 'priority', title: 'Priority', show: ({ priority }) => priority },
  { name: 'by', title: 'By', show: ({ createdBy }) => createdBy ?? '' },
  { name: 'correlation', title: 'Correlation', show: ({ correlationId }) => correlationId ?? '' },
  { name: 'worker', title: 'Worker', show: ({ worker }) => worker ?? '' },
];

/**
 * `attemptCount` has those that failed; the one that goes on, or went well, counts too for a reader at a
 * list.
 */
function attemptsBegun({ attemptCount, status }: ListedJob): number {
  return attemptCount + (status === 'RUNNING' || status === 'SUCCEEDED' ? 1 : 0);
}

const DEFAULT = ['source', 'attempts', 'queued', 'takes'];

export function columnsOf(text: string | undefined): readonly Column[] {
  const names = text?.split(',') ?? DEFAULT;
  return COLUMNS.filter(({ name }) => names.includes(name));
}

/** How long it waits, runs or ran. */
function Takes({ job }: { readonly job: ListedJob }) {
  const now = useNow();
  if (job.startedAt === null) return <span className="muted">{job.status === 'QUEUED' ? '' : '–'}</span>;
  const end =
    job.finishedAt === null ? (job.status === 'RUNNING' ? now : Number.NaN) : Date.parse(job.finishedAt);
  const ms = end - Date.parse(job.startedAt);
  return Number.isNaN(ms) ? <span className="muted">–</span> : <span className="num">{duration(ms)}</span>;
}

export function ColumnChoice({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const chosen = columnsOf(value).map(({ name }) => name);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button" aria-label="Columns" title="Columns">
        <Columns3 aria-hidden="true" size={17} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          {COLUMNS.map(({ name, title }) => (
            <DropdownMenu.CheckboxItem
              key={name}
              className="menu-item"
              checked={chosen.includes(name)}
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={(isShown) => {
                const next = isShown ? [...chosen, name] : chosen.filter((each) => each !== name);
                onChange(next.length === 0 ? undefined : next.join(','));
              }}
            >
              <span className="menu-mark">
                <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
              </span>
              {title}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
