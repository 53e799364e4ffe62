import { Outlet } from '@tanstack/react-router';
import { Session } from '../session/session.tsx';
import { Allowed } from './allowed.tsx';
import { PauseProvider } from './pause.tsx';
import { Shell } from './shell.tsx';

export function App() {
  return (
    <Session>
      <PauseProvider>
        <Shell>
          <Allowed>
            <Outlet />
          </Allowed>
        </Shell>
      </PauseProvider>
    </Session>
  );
}
