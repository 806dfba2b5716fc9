import '../../ui/menu.css';
import './account-menu.css';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { waitForServer } from '../../connection/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { openHelp, openPalette } from '../overlays.ts';
import { shellStrings } from '../strings.ts';
import { SIGN_OUT_FORM_ID, useViewer } from '../viewer.ts';

const MENU_ID = 'account-menu';

/** Waits for the server, because the browser would otherwise replace the application with its own error page. */
function signOut(event: FormEvent<HTMLFormElement>): void {
  event.preventDefault();
  const form = event.currentTarget;
  void waitForServer().then(() => form.submit());
}

export function AccountMenu() {
  const { viewer, workspace, can } = useViewer();
  const menu = useRef<HTMLDivElement>(null);
  const runAndClose = (run: () => void) => () => {
    menu.current?.hidePopover();
    run();
  };
  return (
    <>
      <button type="button" className="rail-item" popoverTarget={MENU_ID} title={shellStrings.account}>
        <Icon name="menu" />
        <span className="rail-label">{shellStrings.account}</span>
      </button>
      <div ref={menu} id={MENU_ID} popover="auto" className="menu account-menu">
        <p>
          <strong>{viewer.name}</strong>
          <span className="quiet small">{workspace.name}</span>
        </p>
        <button type="button" onClick={runAndClose(openPalette)}>
          {shellStrings.goTo} <kbd>Ctrl K</kbd>
        </button>
        <button type="button" onClick={runAndClose(openHelp)}>
          {shellStrings.shortcuts} <kbd>?</kbd>
        </button>
        {can.has('notifications') && (
          <Link to="/profile/notifications" onClick={runAndClose(() => {})}>
            {shellStrings.pages.notifications}
          </Link>
        )}
        <Link to="/profile/preferences" onClick={runAndClose(() => {})}>
          {shellStrings.pages.preferences}
        </Link>
        <form id={SIGN_OUT_FORM_ID} method="post" action="/logout" onSubmit={signOut}>
          <button type="submit">{shellStrings.signOut}</button>
        </form>
      </div>
    </>
  );
}
