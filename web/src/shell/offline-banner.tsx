import './offline-banner.css';
import { useSyncExternalStore } from 'react';
import { shellStrings } from './strings.ts';

/** Says that the browser has no connection, for as long as that is so. */
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
