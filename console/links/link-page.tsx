import '../styles/links.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ExternalLink, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { useJobs, useMillrace } from '../../src/react/index.ts';
import { DeleteLink, LinkDetail, type LinkDetailResult } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { AskButton } from '../parts/ask-button.tsx';
import { NoPage } from '../parts/no-page.tsx';
import { At } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import { clock } from '../videos/clock.ts';
import { LinkLine } from './link-list.tsx';
import { LinkState } from './link-state.tsx';
import { StagesCard } from './stages-card.tsx';

export type ShownLink = NonNullable<LinkDetailResult['link']>;

/** One link: its stages as they go, and what they have made of it. */
export function LinkPage() {
  const { linkId } = useParams({ from: '/links/$linkId' });
  const { jobs } = useUnlessPaused(useJobs({ subject: { type: 'link', key: linkId } }));
  const { data, error, refetch } = useOperation(LinkDetail, { id: linkId });
  const moved = jobs.map(({ id, version }) => `${id} ${version}`).join();
  // A change of one of its jobs is a change of the link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the jobs' versions are what it waits for
  useEffect(() => void refetch(), [moved, refetch]);
  const link = data?.link;
  const mayWrite = useMay('JOBS_WRITE');
  usePageTitle(link?.title ?? 'Link');
  if (link == null)
    return (
      <NoPage title="Link" isGone={link === null} error={error} onRetry={() => void refetch()} list="/links">
        <p>It was deleted, or its id is of another tenant.</p>
      </NoPage>
    );
  return (
    <div className="stack">
      <header className="head">
        <h1>
          {link.title ?? link.url} <LinkState status={link.status} />
        </h1>
        <a className="button" href={link.url} target="_blank" rel="noreferrer noopener">
          <ExternalLink aria-hidden="true" size={15} /> Open
        </a>
        {mayWrite && <DeleteButton link={link} />}
      </header>
      {link.processingError !== null && (
        <p className="note bad" role="alert">
          {link.processingError}
        </p>
      )}
      <StagesCard status={link.status} jobs={jobs} />
      <div className="columns">
        <div className="stack">
          <Made link={link} />
          <Text link={link} />
        </div>
        <div className="stack">
          <Facts link={link} />
          <Similar similar={link.similar} />
        </div>
      </div>
    </div>
  );
}

function Made({ link }: { readonly link: ShownLink }) {
  const { summary, topics, entities } = link;
  if (summary === null && topics.length === 0) return null;
  return (
    <section className="card" aria-labelledby="made">
      <header className="card-head">
        <h2 id="made">Summary</h2>
      </header>
      <div className="card-body">
        <p>{summary}</p>
        <ul className="row" aria-label="Topics">
          {topics.map((topic) => (
            <li key={topic} className="badge">
              {topic}
            </li>
          ))}
        </ul>
        {entities.length > 0 && (
          <p className="small muted">
            Names {entities.map(({ name, kind }) => `${name} (${kind})`).join(', ')}
          </p>
        )}
      </div>
    </section>
  );
}

function Text({ link: { content, textKind } }: { readonly link: ShownLink }) {
  if (content === null) return null;
  const { text, segments } = content;
  return (
    <section className="card" aria-labelledby="text">
      <header className="card-head">
        <h2 id="text">{textKind === 'TRANSCRIPT' ? 'Transcript' : 'Article'}</h2>
      </header>
      <div className="card-body link-text" role="region" aria-label="Text of the link" tabIndex={0}>
        {segments.length === 0 ? (
          <p>{text.slice(0, MAX_SHOWN)}</p>
        ) : (
          <ol>
            {segments.slice(0, MAX_SEGMENTS).map((segment) => (
              <li key={segment.startMs}>
                <span className="muted num">{clock(segment.startMs)}</span> {segment.text}
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

const MAX_SHOWN = 50_000;
const MAX_SEGMENTS = 1_000;

function Facts({ link }: { readonly link: ShownLink }) {
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    ['Address', link.canonicalUrl ?? link.url],
    ['Author', link.author],
    ['Site', link.siteName],
    ['Language', link.language],
    ['Published', link.publishedAt === null ? null : <At key="0" at={link.publishedAt} />],
    ['Own id', link.sourceRef],
    ['Submitted by', link.createdBy],
    ['Read by', link.scrapedBy],
    ['Summed up by', link.enrichedBy],
    ['Embedded by', link.embeddedBy],
  ];
  return (
    <section className="card" aria-labelledby="facts">
      <header className="card-head">
        <h2 id="facts">Facts</h2>
      </header>
      <dl className="facts card-body">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Similar({ similar }: { readonly similar: ShownLink['similar'] }) {
  if (similar.length === 0) return null;
  return (
    <section className="card" aria-labelledby="similar">
      <header className="card-head">
        <h2 id="similar">Similar links</h2>
      </header>
      <ul className="links">
        {similar.map(
          ({ link, similarity }) =>
            link !== null && (
              <li key={link.id}>
                <LinkLine link={link} />
                <p className="small muted num">Meaning {similarity.toFixed(2)}</p>
              </li>
            ),
        )}
      </ul>
      <p className="card-body small">
        <Link to="/links" search={{}}>
          All links
        </Link>
      </p>
    </section>
  );
}

function DeleteButton({ link }: { readonly link: ShownLink }) {
  const client = useMillrace();
  const navigate = useNavigate();
  return (
    <AskButton
      face={
        <>
          <Trash2 aria-hidden="true" size={15} /> Delete
        </>
      }
      title="Delete this link?"
      verb="Delete the link"
      act={async () => done((await run(client, DeleteLink, { input: { id: link.id } })).deleteLink)}
      says="The link is deleted"
      onDone={() => void navigate({ to: '/links', search: {} })}
    >
      <p>“{link.title ?? link.url}” and what was made of it go for good.</p>
    </AskButton>
  );
}
