import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Toasts } from '../parts/toasts.tsx';
import { useViewer } from '../session/viewer.ts';
import { Connection } from './connection.tsx';
import { useKeys } from './keys.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { Palette } from './palette.tsx';
import { placesOf } from './places.ts';
import { Stale } from './stale.tsx';
import { ThemeSwitch, UserMenu, ZoneSwitch } from './switches.tsx';
import { TenantSwitch } from './tenant-switch.tsx';

/** What stands around every page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null);
  const [isNavOpen, setNavOpen] = useState(false);
  const places = placesOf(viewer);
  useKeys({
    ...Object.fromEntries(places.map(({ keys, to }) => [keys, () => void navigate({ to, search: {} })])),
    '?': () => setShown('keys'),
    '/': () => document.querySelector<HTMLElement>('[data-find]')?.focus(),
    Escape: () => history.back(),
  });
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setShown('palette');
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  usePageFocus(path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was gone to closes the navigation
  useEffect(() => setNavOpen(false), [path]);
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="top">
        <button
          type="button"
          className="icon-button nav-toggle"
          aria-expanded={isNavOpen}
          aria-controls="nav"
          aria-label="Navigation"
          onClick={() => setNavOpen(!isNavOpen)}
        >
          <Menu aria-hidden="true" size={20} />
        </button>
        <span className="brand">
          <span className="mark" aria-hidden="true" />
          <span className="brand-name">Millrace</span>
          <TenantSwitch />
        </span>
        <Connection />
        <button type="button" className="button quiet find-button" onClick={() => setShown('palette')}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <UserMenu onKeys={() => setShown('keys')} />
      </header>
      <nav id="nav" className={isNavOpen ? 'nav open' : 'nav'} aria-label="Pages">
        <ul>
          {places.map(({ to, name, icon: Icon }) => (
            <li key={to}>
              <Link to={to} search={{}} activeOptions={{ includeSearch: false, exact: to === '/' }}>
                <Icon aria-hidden="true" size={17} strokeWidth={1.9} />
                {name}
              </Link>
            </li>
          ))}
        </ul>
        <div className="nav-foot">
          <ZoneSwitch />
          <ThemeSwitch />
        </div>
      </nav>
      <main id="page" className="page" tabIndex={-1}>
        <Dropped />
        {children}
        <Stale />
      </main>
      <Toasts />
      {shown === 'palette' && <Palette onClose={() => setShown(null)} />}
      {shown === 'keys' && <KeysDialog onClose={() => setShown(null)} />}
    </div>
  );
}

/** Parameters of the address that the page does not take: they are never left out in silence. */
function Dropped() {
  const dropped = useRouterState({
    select: ({ matches }) => (matches.at(-1)?.search as { readonly dropped?: string } | undefined)?.dropped,
  });
  if (dropped === undefined) return null;
  return (
    <p className="note warn dropped" role="status">
      This address has what the page does not know, which was left out: {dropped}
    </p>
  );
}

/** Another page begins where a screen reader is: at its start. Not at the first one. */
function usePageFocus(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    document.getElementById('page')?.focus({ preventScroll: true });
  }, [path]);
}
