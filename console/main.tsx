import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/frame.css';
import './styles/jobs.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MillraceError } from '../src/client/index.ts';
import { applyTheme } from './frame/preferences.ts';
import { reloadOnceWhenStale } from './frame/stale-assets.ts';
import { router } from './routes.tsx';
import { takeTokenOfLink } from './session/token.ts';

takeTokenOfLink();
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) location.reload();
});
applyTheme();
reloadOnceWhenStale();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 3 && (!(error instanceof MillraceError) || error.recovery === 'retry'),
    },
  },
});

const place = document.getElementById('app');
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
