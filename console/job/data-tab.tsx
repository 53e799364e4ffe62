import { useQuery } from '@tanstack/react-query';
import { fetchRawData, type RawData } from '../api/raw.ts';
import { kept } from '../api/use-operation.ts';
import { JsonView } from '../parts/json-view.tsx';
import { ErrorNote, Skeleton } from '../parts/notes.tsx';

/** What went in and what came out, as it was written. */
export function DataTab({ jobId, isFinal }: { readonly jobId: string; readonly isFinal: boolean }) {
  const { data, error, refetch } = kept<RawData>(
    useQuery<RawData>({
      queryKey: ['job-data', jobId, isFinal],
      queryFn: ({ signal }) => fetchRawData(jobId, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    }),
  );
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  return (
    <div className="data-pair">
      <JsonView json={data.payload} name="Payload" />
      {data.result === 'null' ? (
        <p className="note">{isFinal ? 'It ended without a result.' : 'Its result comes with its end.'}</p>
      ) : (
        <JsonView json={data.result} name="Result" />
      )}
    </div>
  );
}
