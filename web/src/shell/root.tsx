import { createRootRoute, Link } from '@tanstack/react-router';
import { Screen } from './screen.tsx';
import { Shell } from './shell.tsx';
import { shellStrings } from './strings.ts';

/** Root layout. Each area's folder defines its routes in `routes.ts`. */
export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

function NotFound() {
  return (
    <Screen title={shellStrings.pageNotFound}>
      <p>{shellStrings.notFoundText}</p>
      <p>
        <Link to="/">{shellStrings.goToStart}</Link>
      </p>
    </Screen>
  );
}
