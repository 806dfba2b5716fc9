import './screen.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { hasDisplayedScreen, markScreenDisplayed } from '../connection/first-screen.ts';
import type { RequestFailure } from '../graphql/request-error.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { shellStrings } from './strings.ts';
import { useViewer } from './viewer.ts';

interface ScreenProps {
  title: string;
  needs?: string;
  actions?: ReactNode;
  /** True if the screen fills the height and scrolls internally, as a list next to a panel does. */
  isFull?: boolean;
  children: ReactNode;
}

/** A page with its title, which is also the window title. Content is shown only to users with access. */
export function Screen({ title, needs, actions, isFull = false, children }: ScreenProps) {
  const { can, workspace } = useViewer();
  const isClosed = needs !== undefined && !can.has(needs);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${workspace.name} · Atrium`;
  }, [title, workspace.name]);
  useEffect(() => {
    // Moves the focus to the heading after navigation, because the previously focused element no longer exists. The
    // browser sets the focus of the first page.
    if (hasDisplayedScreen()) heading.current?.focus({ preventScroll: true });
    markScreenDisplayed();
  }, []);
  return (
    <main className={isFull ? 'screen full' : 'screen'}>
      <header className="screen-head">
        <h1 ref={heading} className="written" tabIndex={-1}>
          {title}
        </h1>
        <span className="grow" />
        {!isClosed && actions}
      </header>
      {isClosed ? (
        <EmptyState title={shellStrings.notAllowed} text={shellStrings.notAllowedText} />
      ) : (
        children
      )}
    </main>
  );
}

export const LoadError = ({ refusal, onAgain }: { refusal: RequestFailure; onAgain(): void }) => (
  <EmptyState title={shellStrings.failed}>
    <p role="alert">{refusal.message}</p>
    {refusal.code === 'INTERNAL' && (
      <p>
        {shellStrings.requestId} <code>{refusal.requestId}</code>
      </p>
    )}
    <Button onClick={onAgain}>{shellStrings.tryAgain}</Button>
  </EmptyState>
);
