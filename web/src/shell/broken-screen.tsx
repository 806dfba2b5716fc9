import { Link } from '@tanstack/react-router';
import { reloadPage } from '../connection/reload.ts';
import { Button } from '../ui/button.tsx';
import { shellStrings } from './strings.ts';

/** Shown instead of a screen that failed to load or render. The rest of the application stays usable. */
export const BrokenScreen = () => (
  <main className="screen">
    <header className="screen-head">
      <h1 tabIndex={-1}>{shellStrings.failed}</h1>
    </header>
    <p role="alert">{shellStrings.brokenText}</p>
    <div className="buttons">
      <Button look="primary" icon="refresh" onClick={reloadPage}>
        {shellStrings.reload}
      </Button>
      <Link to="/" className="button">
        {shellStrings.goToStart}
      </Link>
    </div>
  </main>
);
