import { FindLinks, type FindLinksResult } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { ListStates } from '../parts/list-states.tsx';
import { LinkLine } from './link-list.tsx';

type Hit = NonNullable<FindLinksResult['searchLinks']>['hits'][number];

/** Links by meaning and by words, each with why it stands where it does. */
export function LinkHits({
  query,
  onClear,
}: {
  readonly query: string;
  /** Clears the query. */
  readonly onClear: () => void;
}) {
  const { data, error, refetch } = useOperation(FindLinks, { query, mode: 'HYBRID' });
  const found = data?.searchLinks;
  const states = (
    <ListStates
      error={error}
      onRetry={() => void refetch()}
      count={found?.hits.length}
      noneMatches="Nothing was found"
      filter={{ 'Looked for': query }}
      onClear={onClear}
    >
      {null}
    </ListStates>
  );
  if (found == null) return states;
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
        states
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
