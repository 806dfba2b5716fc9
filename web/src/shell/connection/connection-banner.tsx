import './connection-banner.css';
import { type ReactNode, useSyncExternalStore } from 'react';
import { reloadPage } from '../../connection/reload.ts';
import { addConnectionListener, checkNow, getConnection } from '../../connection/server.ts';
import { Button } from '../../ui/button.tsx';
import { shellStrings } from '../strings.ts';

/** Shown while the server is unreachable, or if the page must be reloaded. The screen stays usable. */
export const ConnectionBanner = () => (
  <div role="status" className="connection-banner">
    <BannerText />
  </div>
);

function BannerText(): ReactNode {
  const { phase, needsReload, retries } = useSyncExternalStore(addConnectionListener, getConnection);
  if (phase === 'lost')
    return (
      <>
        <span>{navigator.onLine ? shellStrings.connectionLost : shellStrings.offline}</span>
        <Button onClick={checkNow}>{shellStrings.tryAgain}</Button>
      </>
    );
  if (!needsReload && retries === 0) return null;
  return (
    <>
      <span>{needsReload ? shellStrings.newBuild : shellStrings.retrying}</span>
      <Button onClick={reloadPage}>{shellStrings.reload}</Button>
    </>
  );
}
