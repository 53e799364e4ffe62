import { Outlet } from '@tanstack/react-router';
import { Session } from '../session/session.tsx';
import { PauseProvider } from './pause.tsx';
import { Shell } from './shell.tsx';

export function App() {
  return (
    <Session>
      <PauseProvider>
        <Shell>
          <Outlet />
        </Shell>
      </PauseProvider>
    </Session>
  );
}
