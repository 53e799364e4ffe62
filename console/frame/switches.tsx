import { CircleUser, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useContext } from 'react';
import { useTimes } from '../parts/time.ts';
import { SignOutContext } from '../session/sign-out.ts';
import { useViewer } from '../session/viewer.ts';
import { type Preferences, setPreferences, usePreferences } from './preferences.ts';

const THEMES = [
  { theme: 'auto', name: 'System theme', icon: Monitor },
  { theme: 'light', name: 'Light theme', icon: Sun },
  { theme: 'dark', name: 'Dark theme', icon: Moon },
] as const satisfies readonly { theme: Preferences['theme']; name: string; icon: unknown }[];

export function ThemeSwitch() {
  const { theme } = usePreferences();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map(({ theme: each, name, icon: Icon }) => (
        <button
          key={each}
          type="button"
          aria-label={name}
          title={name}
          aria-pressed={theme === each}
          onClick={() => setPreferences({ theme: each })}
        >
          <Icon aria-hidden="true" size={15} />
        </button>
      ))}
    </fieldset>
  );
}

export function ZoneSwitch() {
  const { zone } = usePreferences();
  const times = useTimes();
  return (
    <button
      type="button"
      className="zone"
      title="Times of the whole console; click for the other zone"
      onClick={() => setPreferences({ zone: zone === 'UTC' ? 'browser' : 'UTC' })}
    >
      <span className="muted small">Times in</span> {times.zone}
    </button>
  );
}

export function UserMenu({ onKeys }: { readonly onKeys: () => void }) {
  const viewer = useViewer();
  const signOut = useContext(SignOutContext);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button" aria-label={`Account of ${viewer.name}`}>
        <CircleUser aria-hidden="true" size={20} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          <div className="menu-head">
            <strong>{viewer.name}</strong>
            <span className="muted small">{viewer.role.toLowerCase().replaceAll('_', ' ')}</span>
          </div>
          <DropdownMenu.Item className="menu-item" onSelect={onKeys}>
            <Keyboard aria-hidden="true" size={16} /> Keyboard shortcuts <kbd>?</kbd>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={signOut}>
            <LogOut aria-hidden="true" size={16} /> Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
