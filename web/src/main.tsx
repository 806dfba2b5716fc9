import './ui/tokens.css';
import './ui/base.css';
import './ui/layout/layout.css';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { watchConnection } from './connection/server.ts';
import { client } from './graphql/client.ts';
import { getTextDirection, language } from './i18n/language.ts';
import { router } from './router.tsx';
import { renderViewPreferences } from './ui/view-preferences.ts';

document.documentElement.lang = language;
document.documentElement.dir = getTextDirection(language);
renderViewPreferences();
watchConnection();
// From here on, the script in index.html no longer reports files that failed to load.
dispatchEvent(new Event('atrium:start'));

createRoot(document.getElementById('root')!).render(
  <Provider value={client}>
    <RouterProvider router={router} />
  </Provider>,
);
