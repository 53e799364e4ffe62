import '../styles/videos.css';
import { Link, useNavigate, useSearch as useSearchParams } from '@tanstack/react-router';
import { useRef } from 'react';
import type { SearchHit, SearchResult } from '../../src/client/index.ts';
import { useSearch } from '../../src/react/index.ts';
import { useKeys } from '../frame/keys.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { Example } from '../parts/example.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { clock } from '../videos/clock.ts';
import { narrowingInWords, SearchFilters, searchFilterOf } from './search-filters.tsx';

/** Videos by what was read in their pictures: each hit with its picture, its place in it, and its second. */
export function SearchPage() {
  usePageTitle('Search');
  const { q = '', ...narrowing } = useSearchParams({ from: '/search' });
  const filter = searchFilterOf(narrowing);
  const isAsked = q.trim() !== '' || filter !== null;
  const navigate = useNavigate({ from: '/search' });
  const { results, videoCount, isPending, error, retry, hasMore, loadMore } = useSearch(
    isAsked ? { query: q.trim() === '' ? null : q, filter, first: 20, hitsPerVideo: 6 } : null,
  );
  const place = useRef<HTMLDivElement>(null);
  const move = (by: number): void => {
    const links = [...(place.current?.querySelectorAll<HTMLElement>('a.hit') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.max(0, Math.min(at + by, links.length - 1))]?.focus();
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  return (
    <div className="stack">
      <header className="head">
        <h1>Search</h1>
      </header>
      <SearchField
        label="What to look for in the pictures"
        example={'water wheel  "exact words"  @name  #tag  under $20'}
        value={q}
        onSearch={(text) => void navigate({ search: (before) => ({ ...before, q: text }), replace: true })}
      />
      <SearchFilters />
      <p className="muted small num" role="status">
        {isAsked &&
          !isPending &&
          videoCount != null &&
          `${videoCount} ${videoCount === 1 ? 'video' : 'videos'}`}
      </p>
      <ListStates
        error={error}
        onRetry={retry}
        count={isAsked && videoCount === undefined ? undefined : isAsked ? results.length : 0}
        noneMatches="Nothing was found"
        filter={{ 'Looked for': q, ...narrowingInWords(narrowing) }}
        onClear={() => void navigate({ search: {} })}
      >
        <Empty title="What was shown, word by word">
          <p>
            Mistyped words are found, too. Phrases stand in quotes; @names, #tags and prices work as they are.
          </p>
          <Example
            mutation={`{ searchVideos(query: "water wheel") { edges { node { title } hits { segment { text startMs } } } } }`}
            program={`const { edges } = await client.searchVideos({ query: 'water wheel' });`}
          />
        </Empty>
      </ListStates>
      {isAsked && !isPending && error === null && results.length === 0 && (
        <p className="muted small">
          {filter === null && q.trim().length < 3
            ? 'Two letters are little to go by: write more of the word.'
            : 'Videos that are still being read are not in it yet.'}
        </p>
      )}
      <div ref={place} className="stack">
        {isAsked && results.map((result) => <Found key={result.node.id} result={result} />)}
      </div>
      {hasMore && (
        <div className="more">
          <button type="button" className="button" onClick={loadMore}>
            More
          </button>
        </div>
      )}
    </div>
  );
}

function Found({ result }: { readonly result: SearchResult }) {
  const { node, hits, hitCount } = result;
  return (
    <section className="card" aria-label={node.title}>
      <header className="card-head">
        <h2>
          <Link to="/videos/$videoId" params={{ videoId: node.uuid }} search={{}}>
            {node.title}
          </Link>
        </h2>
        <span className="muted small num">
          {hitCount} {hitCount === 1 ? 'place' : 'places'}
        </span>
      </header>
      <ul className="hits">
        {hits.map((hit) => (
          <li key={hit.segment.id}>
            <Hit hit={hit} videoId={node.uuid} width={node.widthPx} height={node.heightPx} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hit({
  hit,
  videoId,
  width,
  height,
}: {
  readonly hit: SearchHit;
  readonly videoId: string;
  readonly width: number | null;
  readonly height: number | null;
}) {
  const { segment, highlights } = hit;
  const boxes = highlights.flatMap(({ box }) => (box === null ? [] : [box]));
  return (
    <Link
      className="hit"
      to="/videos/$videoId"
      params={{ videoId }}
      search={{ t: String(Math.floor(segment.startMs / 100) / 10) }}
    >
      <span className="hit-picture">
        <img src={segment.thumbnailUrl} alt="" loading="lazy" />
        {width !== null && height !== null && (
          <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" preserveAspectRatio="none">
            {boxes.map(({ x, y, width: w, height: h }) => (
              <rect key={`${x} ${y}`} x={x - 4} y={y - 4} width={w + 8} height={h + 8} rx="6" />
            ))}
          </svg>
        )}
        <span className="poster-time num">{clock(segment.startMs)}</span>
      </span>
      <span className="hit-text">
        <Highlighted text={segment.text} words={highlights.map(({ text }) => text)} />
      </span>
    </Link>
  );
}

function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const escaped = words.filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (escaped.length === 0) return text;
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'));
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}
