'use client';

import { useCallback, useEffect } from 'react';
import type { JobArtifact, JobArtifactPage, MillraceClient, MillraceError } from '../client/index.ts';
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
  readonly artifacts: readonly JobArtifact[];
  readonly pageInfo: JobArtifactPage['pageInfo'];
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
  const { state, run, reset } = useAction<Files | null>();
  const asked = id ?? null;
  const version = job?.version;
  useEffect(() => reset(), [reset, asked, kind, first]);
  const read = useCallback((): void => {
    if (asked === null) return;
    void run(async (signal) => await pageOf(client, asked, { kind, first, signal }));
  }, [client, run, asked, kind, first]);
  useEffect(() => {
    if (version !== undefined) read();
  }, [read, version]);
  const known = state.result;
  const loadMore = useCallback((): void => {
    if (asked === null || !known?.pageInfo.hasNextPage) return;
    void run(async (signal) => {
      const after = known.pageInfo.endCursor;
      const page = await pageOf(client, asked, { kind, first, after, signal });
      return page && { ...page, artifacts: [...known.artifacts, ...page.artifacts] };
    });
  }, [client, run, asked, kind, first, known]);
  return {
    artifacts: job === null ? null : known === null ? null : known?.artifacts,
    isPending: state.isPending,
    error: state.error ?? error,
    hasMore: known?.pageInfo.hasNextPage ?? false,
    loadMore,
    refresh: read,
  };
}

async function pageOf(
  client: MillraceClient,
  id: string,
  options: Parameters<MillraceClient['jobArtifacts']>[1],
): Promise<Files | null> {
  const page = await client.jobArtifacts(id, options);
  return page && { artifacts: page.nodes, pageInfo: page.pageInfo };
}
