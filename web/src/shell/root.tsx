import { createRootRoute, Link } from '@tanstack/react-router';
import { Screen } from './screen.tsx';
import { Shell } from './shell.tsx';
import { shellStrings } from './strings.ts';

/** Root layout. The routes of an area are in the `routes.ts` of its folder. */
export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

function NotFound() {
  return (
    <Screen title={shellStrings.notFound}>
      <p>{shellStrings.notFoundText}</p>
      <p>
        <Link to="/">{shellStrings.goToStart}</Link>
      </p>
    </Screen>
  );
}
