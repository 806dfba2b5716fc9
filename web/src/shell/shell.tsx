import './shell.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet, useMatches } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useQuery } from 'urql';
import { lazy } from '../connection/lazy.ts';
import { leaveForSignIn } from '../connection/reload.ts';
import { addSessionListener, getSignedOut } from '../connection/session.ts';
import { toRequestFailure } from '../graphql/request-error.ts';
import { Toasts } from '../ui/toasts.tsx';
import { applyViewPreferences } from '../ui/view-preferences.ts';
import { ConnectionBanner } from './connection/connection-banner.tsx';
import { ShellDocument } from './generated.ts';
import { applyKeyBindings, KEY_BINDINGS_NAME, parseKeyBindings } from './keys/key-bindings.ts';
import { useShortcuts } from './keys/shortcuts.ts';
import { openHelp, openPalette, useOverlay } from './overlays.ts';
import { findPage, getAllowedOperations, NEEDED_OPERATIONS, PAGES } from './pages.ts';
import { Rail } from './rail/rail.tsx';
import { LoadError, Screen } from './screen.tsx';
import { shellStrings } from './strings.ts';
import { useViewer, ViewerContext } from './viewer.ts';

const Palette = lazy(() => import('./palette/palette.tsx'), 'Palette');
const ShortcutHelp = lazy(() => import('./keys/shortcut-help.tsx'), 'ShortcutHelp');
const SignInDialog = lazy(() => import('./connection/sign-in-dialog.tsx'), 'SignInDialog');

const variables = { operations: NEEDED_OPERATIONS };

export function Shell() {
  const [{ data, error }, reload] = useQuery({ query: ShellDocument, variables });
  const context = useMemo(
    () =>
      data && {
        viewer: data.viewer,
        workspace: data.workspace,
        can: getAllowedOperations(data.viewer.can, data.viewer.groups),
      },
    [data],
  );
  const preferences = data?.viewer.preferences;
  useEffect(() => {
    if (preferences) applyViewPreferences(preferences);
  }, [preferences]);
  const values = data?.uiState.values as Record<string, unknown> | undefined;
  useEffect(() => {
    if (values) applyKeyBindings(parseKeyBindings(values[KEY_BINDINGS_NAME]));
  }, [values]);
  const isSignedOut = useSyncExternalStore(addSessionListener, getSignedOut);
  useEffect(() => {
    if (isSignedOut && !context) void leaveForSignIn();
  }, [isSignedOut, context]);
  const overlay = useOverlay();
  useShortcuts([
    { keys: '$mod+k', label: shellStrings.keys.palette, run: openPalette },
    { keys: '[Shift]+?', label: shellStrings.keys.help, run: openHelp },
  ]);
  if (!context && error)
    return (
      <LoadError
        refusal={toRequestFailure(error)}
        onAgain={() => reload({ requestPolicy: 'network-only' })}
      />
    );
  if (!context)
    return (
      <>
        <ConnectionBanner />
        <p className="sr">{shellStrings.loading}</p>
      </>
    );
  return (
    <CSPProvider disableStyleElements>
      <ViewerContext value={context}>
        <a className="skip" href="#main">
          {shellStrings.skipToContent}
        </a>
        <ConnectionBanner />
        <div className="shell">
          <Rail />
          <div id="main" className="main" tabIndex={-1}>
            <PermittedScreen />
          </div>
        </div>
        <Suspense>
          {overlay === 'palette' && <Palette />}
          {overlay === 'help' && <ShortcutHelp />}
          {isSignedOut && <SignInDialog />}
        </Suspense>
        <Toasts label={shellStrings.pages.notifications} dismiss={shellStrings.dismiss} />
      </ViewerContext>
    </CSPProvider>
  );
}

/** Renders the screen only if the user has the permission for its page, so that it sends no queries without it. */
function PermittedScreen() {
  const { can } = useViewer();
  const path = useMatches({ select: (matches) => matches.at(-1)!.fullPath });
  const page = findPage(PAGES, path);
  if (!page?.needs || can.has(page.needs)) return <Outlet />;
  return (
    <Screen key={page.to} title={shellStrings.pages[page.label]} needs={page.needs}>
      {null}
    </Screen>
  );
}
