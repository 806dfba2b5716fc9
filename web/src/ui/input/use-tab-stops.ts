import { type KeyboardEvent, useRef, useState } from 'react';

/** Manages a toolbar's single tab stop, which arrow keys move (roving tabindex). */
export function useTabStops() {
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const stops = [...bar.current!.querySelectorAll<HTMLElement>('button, input[type=color]')];
    const next = (at + step + stops.length) % stops.length;
    setAt(next);
    stops[next]!.focus();
  };
  const getTabStop = (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) });
  return { bar, move, getTabStop };
}
