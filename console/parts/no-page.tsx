import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty, ErrorNote, LoadingPage } from './notes.tsx';

/**
 * The page of one thing while there is nothing of it to show: it is on its way, failed to come, or is gone.
 */
export function NoPage({
  title,
  isGone,
  error,
  onRetry,
  list,
  children,
}: {
  /** "Video". */
  readonly title: string;
  readonly isGone: boolean;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Where its like are. */
  readonly list: '/jobs' | '/definitions' | '/videos' | '/calls' | '/links';
  /** Why it may be gone. */
  readonly children: ReactNode;
}) {
  if (!isGone && error == null) return <LoadingPage title={title} />;
  return (
    <div className="stack">
      <header className="head">
        <h1>{title}</h1>
      </header>
      {isGone ? (
        <Empty title={`There is no such ${title.toLowerCase()}`}>
          {children}
          <p>
            <Link to={list} search={{}}>
              All {list.slice(1)}
            </Link>
          </p>
        </Empty>
      ) : (
        <ErrorNote error={error} onRetry={onRetry} />
      )}
    </div>
  );
}
