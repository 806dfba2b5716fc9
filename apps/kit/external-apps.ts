import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import {
  AppsError,
  type ExternalApp,
  findAppsFolder,
  listExternalApps,
} from '../../src/db/migrations/apps-folder.ts';
import type { App } from './app.ts';
import { SURFACE } from './surface.ts';

/**
 * Loads the apps of APPS_DIR. Each is the default export of its `app.ts`.
 * @throws AppsError with the name of an invalid app, because skipping the app would make its records disappear
 */
export function loadExternalApps(): App[] {
  const folders = listExternalApps();
  if (folders.length > 0) registerSurface(pathToFileURL(`${findAppsFolder()}/`).href);
  return folders.map(loadApp);
}

function loadApp(folder: ExternalApp): App {
  const { name } = folder;
  const app = importApp(folder);
  const mistake = findAppError(name, app);
  if (mistake) throw new AppsError(`invalid app ${name} in APPS_DIR: ${mistake}`);
  return app!;
}

const require = createRequire(import.meta.url);

/**
 * Imports an app with `require`, which is synchronous. Awaiting an import would delay every module that needs the apps.
 */
function importApp({ name, entry }: ExternalApp): App | undefined {
  try {
    return require(entry).default;
  } catch (error) {
    const { message } = error as Error;
    throw new AppsError(`failed to load the app ${name} in APPS_DIR: ${message}`, { cause: error });
  }
}

function findAppError(name: string, app: App | undefined): string | null {
  if (!app || typeof app !== 'object') return 'app.ts has no app as its default export';
  if (app.name !== name) return `its name is ${app.name}, and that of its folder ${name}`;
  if (app.surface === SURFACE) return null;
  return `it is written for surface ${app.surface ?? 'none'} of Atrium, and this version has ${SURFACE}`;
}

/** Sorts apps by dependency and otherwise keeps their order. @throws Error if dependencies form a cycle */
export function sortByDependencies(apps: readonly App[]): App[] {
  const orderedApps: App[] = [];
  const add = (app: App, path: readonly string[]): void => {
    if (orderedApps.includes(app)) return;
    if (path.includes(app.name))
      throw new Error(`apps depend on each other in a cycle: ${[...path, app.name].join(', ')}`);
    for (const item of apps) if (app.depends.includes(item.name)) add(item, [...path, app.name]);
    orderedApps.push(app);
  };
  for (const app of apps) add(app, []);
  return orderedApps;
}

/** Makes `atrium/app` resolvable for the files below `folder`, and treats their TypeScript as modules. */
function registerSurface(folder: string): void {
  const surface = new URL('./surface.ts', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (!context.parentURL?.startsWith(folder) && !specifier.startsWith(folder))
        return next(specifier, context);
      if (specifier === 'atrium/app') return { url: surface, shortCircuit: true };
      const resolvedModule = next(specifier, context);
      return resolvedModule.url.endsWith('.ts') && resolvedModule.url.startsWith(folder)
        ? { ...resolvedModule, format: 'module-typescript' }
        : resolvedModule;
    },
  });
}
