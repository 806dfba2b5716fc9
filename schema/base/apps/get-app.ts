import { apps } from '../../../apps/index.ts';
import type { App } from '../../../apps/kit/app.ts';
import { errors } from '../../../src/errors.ts';

// `apps` lists each app after its dependencies.

/** @throws NOT_FOUND */
export function getApp(name: string): App {
  const app = apps.find((app) => app.name === name);
  if (!app) throw errors.notFound(`App ${name}`);
  return app;
}

/** Returns the apps and all their dependencies, in installation order. */
export function listWithDependencies(names: readonly string[]): App[] {
  const appNames = new Set(names);
  for (const app of apps.toReversed())
    if (appNames.has(app.name)) for (const dependency of app.depends) appNames.add(dependency);
  return apps.filter(({ name }) => appNames.has(name));
}

/** Returns the app and all its installed dependents, in removal order. */
export function listWithDependents(name: string, installedNames: readonly string[]): App[] {
  const names = new Set([name]);
  for (const app of apps)
    if (installedNames.includes(app.name) && app.depends.some((dependency) => names.has(dependency)))
      names.add(app.name);
  return apps.filter((app) => names.has(app.name)).toReversed();
}

/** Odoo series whose data API is implemented. Module versions start with it. */
const ODOO_SERIES = '19.0.';

export const toModuleVersion = (version: string): string => ODOO_SERIES + version;

export const toAppVersion = (text: string): string =>
  text.startsWith(ODOO_SERIES) ? text.slice(ODOO_SERIES.length) : text;
