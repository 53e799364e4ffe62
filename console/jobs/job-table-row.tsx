import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { StatusBadge } from '../parts/status.tsx';
import { WithTimes } from '../parts/when.tsx';
import type { Column } from './columns.tsx';
import type { ListedJob } from './listed-job.ts';

interface Props {
  readonly job: ListedJob;
  readonly index: number;
  /** Hears how high the row is, where rows are drawn as they are scrolled to. */
  readonly measure: ((row: Element | null) => void) | null;
  readonly columns: readonly Column[];
  readonly isAt: boolean;
  readonly isSelected: boolean;
  readonly onSelect: ((id: string, isRange?: boolean) => void) | null;
}

function Row({ job, index, measure, columns, isAt, isSelected, onSelect }: Props) {
  const { id, uuid, status } = job;
  const classes = [isAt && 'at', isSelected && 'selected', job.isGone && 'gone'].filter(Boolean).join(' ');
  return (
    <tr id={`job-${uuid}`} ref={measure} data-index={index} aria-rowindex={index + 2} className={classes}>
      {onSelect !== null && (
        <td className="tick">
          <input
            type="checkbox"
            aria-label={`Select job ${uuid.slice(-8)}`}
            checked={isSelected}
            onChange={(event) => onSelect(id, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        </td>
      )}
      <td className="state">
        <StatusBadge status={status} isCancelRequested={job.isCancelRequested} />
      </td>
      <td className="which">
        <Link to="/jobs/$jobId" params={{ jobId: uuid }} search={{}}>
          {job.definition.key}
        </Link>
        <span className="mono muted" title={uuid}>
          {uuid.slice(-8)}
        </span>
      </td>
      {columns.map(({ name, title, show }) => (
        <td key={name} className="cell" data-title={title}>
          {show(job)}
        </td>
      ))}
      <td className="detail">
        <Detail job={job} />
      </td>
    </tr>
  );
}

function Detail({ job }: { readonly job: ListedJob }) {
  if (job.isGone) return <span className="muted">no longer matches</span>;
  if (job.status === 'RUNNING' && job.progress?.percent != null) {
    const percent = Math.round(job.progress.percent);
    return (
      <span className="progress">
        <progress max={100} value={percent} aria-label={`Progress of job ${job.uuid.slice(-8)}`} />
        <span className="num small muted">
          <span className="percent">{`${percent} %`}</span> {job.progress.stage ?? ''}
        </span>
      </span>
    );
  }
  const text = job.error?.message ?? job.reason ?? '';
  return (
    <span className={job.error === null ? 'muted clip' : 'clip'} title={text}>
      <WithTimes text={text} />
    </span>
  );
}

export const JobTableRow = memo(
  Row,
  (a, b) =>
    a.job.version === b.job.version &&
    a.job.isGone === b.job.isGone &&
    a.index === b.index &&
    a.measure === b.measure &&
    a.job.progress?.percent === b.job.progress?.percent &&
    a.isAt === b.isAt &&
    a.isSelected === b.isSelected &&
    a.onSelect === b.onSelect &&
    a.columns.length === b.columns.length &&
    a.columns.every((column, index) => column === b.columns[index]),
);
