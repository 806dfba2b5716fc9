import { createRootRoute, Link } from '@tanstack/react-router';
import { lazyRouteComponent } from '../connection/lazy.ts';
import { Screen } from './screen.tsx';
import { Shell } from './shell.tsx';
import { shellStrings } from './strings.ts';

/** Root layout. Each area's folder defines its routes in `routes.ts`. */
export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/**
 * Returns the options of a screen's route. The screen's module is loaded when it is first opened. The component's
 * result is `void` here, because the types of screens depend on the types of routes.
 */
export const defineScreen = <const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, () => void>>,
  name: Name,
) => ({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) });

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
