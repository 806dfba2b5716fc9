import './ui/tokens.css';
import './ui/base.css';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { client } from './graphql/client.ts';
import { directionOf, language } from './i18n/language.ts';
import { router } from './router.tsx';
import { showLook } from './ui/look.ts';

document.documentElement.lang = language;
document.documentElement.dir = directionOf(language);
showLook();

/** Milliseconds in which the page is loaded again for a missing file once. */
const RELOAD_PAUSE = 60_000;

// After an update of the server, what this page would load next has another name.
addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('atrium.reloaded'));
  if (Date.now() - last < RELOAD_PAUSE) return;
  sessionStorage.setItem('atrium.reloaded', String(Date.now()));
  location.reload();
});

createRoot(document.getElementById('root')!).render(
  <Provider value={client}>
    <RouterProvider router={router} />
  </Provider>,
);
