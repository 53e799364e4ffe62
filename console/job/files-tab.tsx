import '../styles/files.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMillrace } from '../../src/react/index.ts';
import { JobFiles } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { FileRow, type MadeFile, Picture } from './made-file.tsx';

const PAGE_SIZE = 50;

/** What the job made: pictures as pictures, what plays with a player, all to be downloaded. */
export function FilesTab({ jobId, isFinal }: { readonly jobId: string; readonly isFinal: boolean }) {
  const client = useMillrace();
  const query = useInfiniteQuery({
    queryKey: ['job-files', jobId, isFinal],
    queryFn: async ({ pageParam, signal }) =>
      (await run(client, JobFiles, { id: jobId, first: PAGE_SIZE, after: pageParam }, signal)).job
        ?.artifacts ?? null,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : undefined),
    staleTime: 60_000,
  });
  const files = query.data?.pages.flatMap((page) => page?.nodes ?? []);
  return (
    <section className="card" aria-label="Files">
      <ListStates error={query.error} onRetry={() => void query.refetch()} count={files?.length}>
        <Empty title={isFinal ? 'It made no files' : 'No files yet'}>
          <p>Frames, streams, clips and transcripts stand here when the run that makes them has ended.</p>
        </Empty>
      </ListStates>
      {groupsOf(files ?? []).map(([label, group]) => (
        <section key={label} className="files" aria-label={label}>
          <h2>
            {label} <span className="muted small num">{group.length}</span>
          </h2>
          {group.every(isPicture) ? (
            <ul className="pictures">
              {group.map((file) => (
                <Picture key={file.name} file={file} />
              ))}
            </ul>
          ) : (
            <ul className="file-list">
              {group.map((file) => (
                <FileRow key={file.name} file={file} />
              ))}
            </ul>
          )}
        </section>
      ))}
      {query.hasNextPage && (
        <p className="card-body">
          <button
            type="button"
            className="button"
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {query.isFetchingNextPage ? 'Loading…' : 'Show more files'}
          </button>
        </p>
      )}
    </section>
  );
}

const isPicture = ({ contentType, url }: MadeFile): boolean =>
  contentType.startsWith('image/') && url !== null;

/** By label, in the order in which they come. */
function groupsOf(files: readonly MadeFile[]): readonly (readonly [string, readonly MadeFile[]])[] {
  return [...Map.groupBy(files, ({ label }) => label)];
}
