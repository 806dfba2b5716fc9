import { lazyRouteComponent as createLazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy as createLazy } from 'react';
import { loadModule } from './load-module.ts';

/** Like the router's function, with `loadModule`. */
export const lazyRouteComponent: typeof createLazyRouteComponent = (importer, name) =>
  createLazyRouteComponent(() => loadModule(importer), name);

/** Like React's function, with `loadModule`. */
// biome-ignore lint/suspicious/noExplicitAny: React's own constraint
export const lazy = <Component extends ComponentType<any>>(load: () => Promise<{ default: Component }>) =>
  createLazy(() => loadModule(load));
