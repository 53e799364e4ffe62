'use client';

import { useCallback, useEffect } from 'react';
import type { JobArtifact, MillraceError } from '../client/index.ts';
import { useMillrace } from './provider.ts';
import { useAction } from './use-action.ts';
import { useJob } from './use-job.ts';

export interface UseJobArtifacts {
  /** By kind and name; undefined before they have come, null where the job is gone. */
  readonly artifacts: readonly JobArtifact[] | null | undefined;
  readonly isPending: boolean;
  readonly error: MillraceError | null;
  readonly hasMore: boolean;
  /** Adds the next page. */
  readonly loadMore: () => void;
  /** Reads them again: their URLs end at `urlExpiresAt`. */
  readonly refresh: () => void;
}

interface Files {
  /** What they were asked for with: others may be asked for meanwhile. */
  readonly key: string;
  /** Null where the job is gone. */
  readonly artifacts: readonly JobArtifact[] | null;
  /** Where to go on; null at the end. */
  readonly next: string | null;
}

/**
 * The files that a job made, read again whenever the job itself changes, since a run's files are there when
 * it has ended.
 * @param id of the job, its global id or UUID; with null there is nothing to read yet
 * @param options `kind`: only files of this kind; `first`: files a page, 50 by default
 */
export function useJobArtifacts(
  id: string | null | undefined,
  { kind = null, first = null }: { readonly kind?: string | null; readonly first?: number | null } = {},
): UseJobArtifacts {
  const client = useMillrace();
  const { job, error } = useJob(id);
  const { state, run } = useAction<Files>();
  const asked = id ?? null;
  const key = JSON.stringify([asked, kind, first]);
  const version = job?.version;
  const read = useCallback(
    (before?: Files): void => {
      if (asked === null) return;
      void run(async (signal) => {
        const page = await client.jobArtifacts(asked, { kind, first, after: before?.next, signal });
        const artifacts = page && [...(before?.artifacts ?? []), ...page.nodes];
        return { key, artifacts, next: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null };
      });
    },
    [client, run, asked, kind, first, key],
  );
  useEffect(() => {
    if (version !== undefined) read();
  }, [read, version]);
  const known = state.result?.key === key ? state.result : undefined;
  const loadMore = useCallback((): void => {
    if (known !== undefined && known.next !== null) read(known);
  }, [read, known]);
  const refresh = useCallback((): void => read(), [read]);
  return {
    artifacts: job === null ? null : known?.artifacts,
    isPending: state.isPending,
    error: state.error ?? error,
    hasMore: known !== undefined && known.next !== null,
    loadMore,
    refresh,
  };
}
