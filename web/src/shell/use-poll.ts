import { useEffect, useRef } from 'react';

/** Milliseconds between two looks at what is under way. */
const POLL_INTERVAL_MS = 2_000;

/** Looks again and again while something is waited for and the page is seen: of some changes there is no stream. */
export function usePoll(isWaiting: boolean, look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(
      () => document.visibilityState === 'visible' && latest.current(),
      POLL_INTERVAL_MS,
    );
    return () => clearInterval(timer);
  }, [isWaiting]);
}
