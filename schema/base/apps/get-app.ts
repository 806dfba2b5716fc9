import { apps } from '../../../apps/index.ts';
import type { App } from '../../../apps/kit/app.ts';
import { errors } from '../../../src/errors.ts';

// Which apps there are, and what builds on what. They are listed each after those it builds on.

/** @throws NOT_FOUND */
export function getApp(name: string): App {
  const app = apps.find((each) => each.name === name);
  if (!app) throw errors.notFound(`App ${name}`);
  return app;
}

/** The named apps and all that they build on, in the order in which they are installed. */
export function withDependencies(names: readonly string[]): App[] {
  const wanted = new Set(names);
  for (const app of apps.toReversed())
    if (wanted.has(app.name)) for (const each of app.depends) wanted.add(each);
  return apps.filter(({ name }) => wanted.has(name));
}

/** The named app and all of `installed` that build on it, in the order in which they are removed. */
export function withDependents(name: string, installed: readonly string[]): App[] {
  const gone = new Set([name]);
  for (const app of apps)
    if (installed.includes(app.name) && app.depends.some((each) => gone.has(each))) gone.add(app.name);
  return apps.filter((each) => gone.has(each.name)).toReversed();
}

/** The series of Odoo whose data API is spoken; versions of modules begin with it. */
const SERIES = '19.0.';

export const toModuleVersion = (version: string): string => SERIES + version;

/** The app's own version in that of its module. */
export const toAppVersion = (text: string): string =>
  text.startsWith(SERIES) ? text.slice(SERIES.length) : text;
