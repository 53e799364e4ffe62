import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lackingFor } from '../page-access.ts';
import { PAGE_PARAMS, type PagePath } from '../page-params.ts';
import { Forbidden } from '../parts/notes.tsx';
import { useViewer } from '../session/viewer.ts';
import { PLACES } from './places.ts';

/** Shows a page to those who may see it, and to others what they lack for it. */
export function Allowed({ children }: { readonly children: ReactNode }) {
  const viewer = useViewer();
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath });
  const page = path !== undefined && isPage(path) ? path : null;
  const lacking = page === null ? null : lackingFor(viewer, page);
  if (page === null || lacking === null) return children;
  const place = PLACES.find(({ to }) => to === page || (to !== '/' && page.startsWith(`${to}/`)));
  return (
    <div className="stack">
      <header className="head">
        <h1>{place?.name}</h1>
      </header>
      <Forbidden what={`This page takes ${lacking}, which your token does not have.`} />
    </div>
  );
}

function isPage(path: string): path is PagePath {
  return Object.hasOwn(PAGE_PARAMS, path);
}
