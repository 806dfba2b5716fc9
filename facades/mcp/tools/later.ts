import { errors } from '../../../src/errors.ts';
import { defineTool, type Tool, type ToolSpec } from '../tool.ts';
import { hasRole, NEEDED_ROLE } from '../tool-roles.ts';
import { answers, TEXT, takes, writes } from './kit.ts';

// Tools whose verbs are still to come: listed with their schemas for those who may use them, and a call says so. A tool
// that gets its verb moves into a file of its own and leaves its line here.

export const NO_APPS = 'This server installs, changes and removes no apps yet; what it has is part of it.';

type Named = Pick<ToolSpec<object>, 'name' | 'title' | 'description'>;
type Declared = Omit<ToolSpec<object>, 'method' | 'run'>;

const later = (why: string, spec: Declared): ToolSpec<object> => ({
  ...spec,
  method: null,
  run: () => Promise.reject(errors.user(why)),
});

export const MODULE = TEXT('Technical name, such as crm.');

const change = (spec: Named): ToolSpec<object> =>
  later(NO_APPS, {
    ...spec,
    inputSchema: takes({ module: MODULE }, ['module']),
    outputSchema: answers(),
    annotations: writes(),
    scope: 'write',
    group: 'live',
    role: 'administrator',
  });

const moduleConfigureTool = defineTool<{ list: boolean }>({
  name: 'module_configure',
  title: 'Configure apps',
  description:
    'Lists the settings that can be changed with list true, else sets one; that needs an administrator.',
  inputSchema: takes({
    list: { type: 'boolean', default: false },
    setting: TEXT(),
    value: {},
  }),
  outputSchema: answers(),
  annotations: writes(),
  scope: 'write',
  group: 'live',
  method: null,
  run: async ({ ctx, args }) => {
    if (!args.list && !hasRole(ctx.principal!, 'administrator'))
      throw errors.notAllowed(`This needs ${NEEDED_ROLE.administrator}.`);
    throw errors.user(NO_APPS);
  },
});

export const moduleTools: readonly Tool[] = [
  defineTool(change({ name: 'module_install', title: 'Install an app', description: 'Installs an app.' })),
  defineTool(
    change({
      name: 'module_upgrade',
      title: 'Upgrade an app',
      description: 'Updates an installed app. It cannot be rolled back from here.',
    }),
  ),
  moduleConfigureTool,
  defineTool(
    change({
      name: 'module_uninstall',
      title: 'Remove an app',
      description:
        'Removes an app with its data and that of apps built on it, for good. Off unless an operator has enabled it.',
    }),
  ),
];
