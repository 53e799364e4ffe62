import '../styles/links.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { usePageTitle } from '../frame/page-title.ts';
import { SearchField } from '../parts/search-field.tsx';
import { useMay } from '../session/viewer.ts';
import { LinkHits } from './link-hits.tsx';
import { LinkList } from './link-list.tsx';
import { SubmitForm } from './submit-form.tsx';

/** Links: what was submitted and where it stands, or what was found. */
export function LinksPage() {
  usePageTitle('Links');
  const { q = '', status } = useSearch({ from: '/links' });
  const navigate = useNavigate({ from: '/links' });
  const mayWrite = useMay('JOBS_WRITE');
  const query = useDeferredValue(q.trim());
  return (
    <div className="stack">
      <header className="head">
        <h1>Links</h1>
      </header>
      {mayWrite && <SubmitForm />}
      <SearchField
        label="What to look for, by meaning and by words"
        example="Find by meaning and by words"
        value={q}
        onSearch={(text) => void navigate({ search: (before) => ({ ...before, q: text }), replace: true })}
      />
      {query === '' ? (
        <LinkList
          status={status}
          onStatus={(next) => void navigate({ search: (before) => ({ ...before, status: next }) })}
        />
      ) : (
        <LinkHits query={query} onClear={() => void navigate({ search: {} })} />
      )}
    </div>
  );
}
