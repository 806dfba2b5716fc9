import { lazyRouteComponent as createLazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy as createLazy } from 'react';
import { loadModule } from './load-module.ts';

/** Like the router's function, but loads the module with `loadModule`. */
export const lazyRouteComponent: typeof createLazyRouteComponent = (importer, name) =>
  createLazyRouteComponent(() => loadModule(importer), name);

/** Like React's function, but loads a component by its name, with `loadModule`. */
// biome-ignore lint/suspicious/noExplicitAny: React's own constraint
export const lazy = <Name extends string, Component extends ComponentType<any>>(
  load: () => Promise<Record<Name, Component>>,
  name: Name,
) => createLazy(async () => ({ default: (await loadModule(load))[name] }));
