import { Link } from '@tanstack/react-router';
import { Links } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { Example } from '../parts/example.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { When } from '../parts/when.tsx';
import { LINK_STATES, LinkState, type ListedLink } from './link-state.tsx';

const STATUSES = Object.keys(LINK_STATES) as readonly ListedLink['status'][];

/** The newest links, by their status, kept current. */
export function LinkList({
  status,
  onStatus,
}: {
  readonly status: string | undefined;
  readonly onStatus: (status: string | undefined) => void;
}) {
  const chosen = STATUSES.find((each) => each === status) ?? null;
  const { data, error, refetch } = useOperation(
    Links,
    { filter: { status: chosen }, first: 100, after: null },
    { refreshMs: 3_000 },
  );
  const links = data?.links?.nodes;
  return (
    <section className="card" aria-label="List of links">
      <header className="card-head">
        <label className="row">
          Status
          <select
            value={chosen ?? ''}
            onChange={({ target }) => onStatus(target.value === '' ? undefined : target.value)}
          >
            <option value="">All</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {LINK_STATES[each].word}
              </option>
            ))}
          </select>
        </label>
      </header>
      <ListStates
        error={error}
        onRetry={() => void refetch()}
        count={links?.length}
        noneMatches="No link stands there"
        filter={{ Status: chosen === null ? undefined : LINK_STATES[chosen].word }}
        onClear={() => onStatus(undefined)}
      >
        <Empty title="No links yet">
          <p>Submit one above; its page is read, summed up, and found by what it means.</p>
          <Example
            mutation={`mutation { submitLink(input: { url: "https://example.com/" }) { __typename } }`}
          />
        </Empty>
      </ListStates>
      <ul className="links">
        {links?.map((link) => (
          <li key={link.id}>
            <LinkLine link={link} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A link on one line: its title, where it is, its status. */
export function LinkLine({ link }: { readonly link: ListedLink }) {
  return (
    <>
      <p className="row">
        <Link className="grow link-title" to="/links/$linkId" params={{ linkId: link.uuid }} search={{}}>
          {link.title ?? link.url}
        </Link>
        <LinkState status={link.status} />
      </p>
      <p className="small muted row">
        <span className="grow link-url">{link.siteName ?? hostOf(link.url)}</span>
        <When at={link.createdAt} />
      </p>
      {link.processingError !== null && <p className="small link-problem">{link.processingError}</p>}
    </>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
