import './offline-banner.css';
import { useSyncExternalStore } from 'react';
import { shellStrings } from './strings.ts';

/** Shown while the browser is offline. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(
    (heard) => {
      addEventListener('online', heard);
      addEventListener('offline', heard);
      return () => {
        removeEventListener('online', heard);
        removeEventListener('offline', heard);
      };
    },
    () => navigator.onLine,
  );
  return (
    <div role="status" className="offline-banner">
      {!isOnline && shellStrings.offline}
    </div>
  );
}
