import './ui/tokens.css';
import './ui/base.css';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { client } from './graphql/client.ts';
import { getTextDirection, language } from './i18n/language.ts';
import { router } from './router.tsx';
import { renderViewPreferences } from './ui/view-preferences.ts';

document.documentElement.lang = language;
document.documentElement.dir = getTextDirection(language);
renderViewPreferences();

/** Milliseconds within which the page reloads at most once for a missing file. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

// A server update changes the names of the files that this page loads later.
addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('atrium.reloaded'));
  if (Date.now() - last < MIN_RELOAD_INTERVAL_MS) return;
  sessionStorage.setItem('atrium.reloaded', String(Date.now()));
  location.reload();
});

createRoot(document.getElementById('root')!).render(
  <Provider value={client}>
    <RouterProvider router={router} />
  </Provider>,
);
