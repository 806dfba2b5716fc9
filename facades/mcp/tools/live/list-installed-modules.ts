import { call } from '../../../../src/engine/verb/call.ts';
import { defineTool, READS, toolAnswer } from '../../tool.ts';
import { answers, TEXT, takes } from '../kit.ts';

interface Args {
  filter: string;
  apps_only: boolean;
}

export const listInstalledModulesTool = defineTool<Args>({
  name: 'list_installed_modules',
  title: 'List installed apps',
  description: 'Lists the apps that the workspace has and what they build on.',
  inputSchema: takes({
    filter: { ...TEXT('Text in one of the names.'), default: '' },
    apps_only: { type: 'boolean', default: false },
  }),
  outputSchema: answers(),
  annotations: READS,
  scope: 'read',
  effects: ['reads'],
  group: 'live',
  method: null,
  isOurs: true,
  run: async ({ ctx, args: { filter, apps_only: appsOnly } }) => {
    const found = await call(ctx, 'installedModules', { filter, appsOnly });
    const modules = found.map(({ name, shortdesc, installedVersion, application }) => ({
      name,
      shortdesc,
      installed_version: installedVersion,
      application,
    }));
    return toolAnswer({ modules }, modules.length);
  },
});
