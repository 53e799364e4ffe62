import '../styles/overview.css';
import { Link } from '@tanstack/react-router';
import type { StatisticsResult } from '../api/operations.gen.ts';
import { When } from './when.tsx';

type Failure = NonNullable<StatisticsResult['jobStatistics']>['failures'][number];

/** Errors that are alike as one line each, the most frequent first, with the last job of each. */
export function Failures({ failures }: { readonly failures: readonly Failure[] }) {
  if (failures.length === 0) return <p className="card-body muted">No job has failed in this window.</p>;
  return (
    <ul className="overview-list">
      {failures.map(({ definitionKey, errorType, message, jobCount, lastFailedAt, lastJobUuid }) => (
        <li key={`${definitionKey} ${lastJobUuid}`}>
          <span className="failing num">{jobCount.toLocaleString('en')} ×</span>
          <Link
            to="/jobs"
            search={{ definition: definitionKey, status: 'FAILED,DEAD_LETTER', error: errorType }}
          >
            {definitionKey}
          </Link>
          <span className="grow failure-text">
            <strong>{errorType}</strong> {message}
          </span>
          <Link className="small" to="/jobs/$jobId" params={{ jobId: lastJobUuid }} search={{}}>
            last <When at={lastFailedAt} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
