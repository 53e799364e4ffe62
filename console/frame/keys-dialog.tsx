import { Dialog } from '../parts/dialog.tsx';
import { PLACES } from './places.ts';
import { setPreferences, usePreferences } from './preferences.ts';

const KEYS = [
  ['?', 'These shortcuts'],
  ['Ctrl K', 'Go to a page, or to a job by its id'],
  ['/', 'Find on this page'],
  ['j  k', 'Next and previous row'],
  ['x', 'Select the row; Shift+X from the row selected last to it'],
  ['Enter', 'Open the row'],
  ['r', 'Retry what is selected, or the job'],
  ['c', 'Cancel what is selected, or the job'],
  ['[  ]', 'Previous and next job of the list'],
  ['l', 'The job’s log'],
  ['f', 'Follow the log'],
  ['Esc', 'Back'],
  ...PLACES.map(({ keys, name }) => [keys, name] as const),
] as const;

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { hasSingleKeys } = usePreferences();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys.split(/ (?!K)/).map((key) => key !== '' && <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={hasSingleKeys}
          onChange={({ target }) => setPreferences({ hasSingleKeys: target.checked })}
        />
        Single keys act (turn this off where they get in the way of speech input)
      </label>
    </Dialog>
  );
}
