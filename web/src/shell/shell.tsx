import './shell.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { refusalOf } from '../graphql/refusal.ts';
import { applyLook } from '../ui/look.ts';
import { Toasts } from '../ui/toasts.tsx';
import { ShellDocument } from './generated.ts';
import { applyKeyChoices, choicesIn, KEY_CHOICES } from './keys/key-choices.ts';
import { useShortcuts } from './keys/shortcuts.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { openHelp, openPalette, useOverlay } from './overlays.ts';
import { allowedHere, NEEDED } from './pages.ts';
import { Rail } from './rail.tsx';
import { Failed } from './screen.tsx';
import { ViewerContext } from './viewer.ts';
import { shellWords } from './words.ts';

const Palette = lazy(() => import('./palette/palette.tsx').then((module) => ({ default: module.Palette })));
const ShortcutHelp = lazy(() =>
  import('./keys/shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })),
);

const variables = { operations: NEEDED };

/** What surrounds every screen. */
export function Shell() {
  const [{ data, error }, again] = useQuery({ query: ShellDocument, variables });
  const here = useMemo(
    () =>
      data && {
        viewer: data.viewer,
        workspace: data.workspace,
        can: allowedHere(data.viewer.can, data.viewer.groups),
      },
    [data],
  );
  const preferences = data?.viewer.preferences;
  useEffect(() => {
    if (preferences) applyLook(preferences);
  }, [preferences]);
  const values = data?.uiState.values as Record<string, unknown> | undefined;
  useEffect(() => {
    if (values) applyKeyChoices(choicesIn(values[KEY_CHOICES]));
  }, [values]);
  const overlay = useOverlay();
  useShortcuts([
    { keys: '$mod+k', label: shellWords.keys.palette, run: openPalette },
    { keys: '[Shift]+?', label: shellWords.keys.help, run: openHelp },
  ]);
  if (!here && error)
    return <Failed refusal={refusalOf(error)} onAgain={() => again({ requestPolicy: 'network-only' })} />;
  if (!here) return <p className="sr">{shellWords.loading}</p>;
  return (
    <CSPProvider disableStyleElements>
      <ViewerContext value={here}>
        <a className="skip" href="#main">
          {shellWords.skip}
        </a>
        <OfflineBanner />
        <div className="shell">
          <Rail />
          <div id="main" className="main" tabIndex={-1}>
            <Outlet />
          </div>
        </div>
        <Suspense>
          {overlay === 'palette' && <Palette />}
          {overlay === 'help' && <ShortcutHelp />}
        </Suspense>
        <Toasts dismiss={shellWords.dismiss} />
      </ViewerContext>
    </CSPProvider>
  );
}
