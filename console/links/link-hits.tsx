import { FindLinks, type FindLinksResult } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { Empty, ErrorNote, Skeleton } from '../parts/notes.tsx';
import { LinkLine } from './link-list.tsx';

type Hit = NonNullable<FindLinksResult['searchLinks']>['hits'][number];

/** Links by meaning and by words, each with why it stands where it does. */
export function LinkHits({ query }: { readonly query: string }) {
  const { data, error, refetch } = useOperation(FindLinks, { query, mode: 'HYBRID' });
  const found = data?.searchLinks;
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (found == null) return <Skeleton rows={4} />;
  return (
    <>
      <p className="muted small" role="status">
        {found.hits.length} {found.hits.length === 1 ? 'link' : 'links'}
        {found.model !== null && <>, meaning by {found.model}</>}
      </p>
      {found.meaningProblem !== null && (
        <p className="note warn">Words decide alone: {found.meaningProblem}</p>
      )}
      {found.hits.length === 0 ? (
        <Empty title="Nothing was found">
          <p>Links that are still being read are not in it yet.</p>
        </Empty>
      ) : (
        <ol className="links card" aria-label="Found links">
          {found.hits.map((hit) => hit.link !== null && <Found key={hit.link.id} hit={hit} />)}
        </ol>
      )}
    </>
  );
}

function Found({ hit }: { readonly hit: Hit }) {
  const { link, score, meaning, meaningPlace, wordScore, wordsPlace } = hit;
  if (link === null) return null;
  return (
    <li>
      <LinkLine link={link} />
      {link.summary !== null && <p className="small link-summary">{link.summary}</p>}
      <p className="small muted num">
        Score {score.toFixed(2)}:{' '}
        {meaning === null ? 'not near in meaning' : `meaning ${meaning.toFixed(2)}, place ${meaningPlace}`};{' '}
        {wordScore === null ? 'words not all in it' : `words ${wordScore.toFixed(2)}, place ${wordsPlace}`}
      </p>
    </li>
  );
}
