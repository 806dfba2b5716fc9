import { useEffect, useRef } from 'react';

const POLL_INTERVAL_MS = 2_000;

/** Polls while the page is visible, for changes that cannot be subscribed to. */
export function usePoll(isWaiting: boolean, check: () => void): void {
  const latest = useRef(check);
  latest.current = check;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(
      () => document.visibilityState === 'visible' && latest.current(),
      POLL_INTERVAL_MS,
    );
    return () => clearInterval(timer);
  }, [isWaiting]);
}
