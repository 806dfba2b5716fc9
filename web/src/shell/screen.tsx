import './screen.css';
import { type ReactNode, useEffect, useRef } from 'react';
import type { RequestFailure } from '../graphql/request-error.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { shellStrings } from './strings.ts';
import { useViewer } from './viewer.ts';

interface ScreenProps {
  title: string;
  /** The operation that it cannot do without. */
  needs?: string;
  /** What stands beside the title. */
  actions?: ReactNode;
  /** It fills the height and scrolls within, as a list beside a panel does. */
  isFull?: boolean;
  /** How wide it becomes at most: its title with what stands beside it, and all below. */
  measure?: 'narrow' | 'middle' | 'broad';
  children: ReactNode;
}

let isFirst = true;

/** One address: its title, in the window's too, and what it shows to who may see it. */
export function Screen({ title, needs, actions, isFull = false, measure, children }: ScreenProps) {
  const { can, workspace } = useViewer();
  const isClosed = needs !== undefined && !can.has(needs);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${workspace.name} · Atrium`;
  }, [title, workspace.name]);
  useEffect(() => {
    // Where one has come from is gone; the page that was opened first keeps what the browser chose.
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <main className={['screen', isFull && 'full', measure].filter(Boolean).join(' ')}>
      <header className="screen-head">
        <h1 ref={heading} className="written" tabIndex={-1}>
          {title}
        </h1>
        <span className="grow" />
        {!isClosed && actions}
      </header>
      {isClosed ? (
        <EmptyState title={shellStrings.notAllowed}>
          <p>{shellStrings.notAllowedText}</p>
        </EmptyState>
      ) : (
        children
      )}
    </main>
  );
}

/** In place of what could not be loaded. */
export const LoadError = ({ refusal, onAgain }: { refusal: RequestFailure; onAgain(): void }) => (
  <EmptyState title={shellStrings.failed}>
    <p role="alert">{refusal.code === 'OFFLINE' ? shellStrings.unreachable : refusal.message}</p>
    {refusal.code === 'INTERNAL' && (
      <p>
        {shellStrings.requestId} <code>{refusal.requestId}</code>
      </p>
    )}
    <Button onClick={onAgain}>{shellStrings.again}</Button>
  </EmptyState>
);
