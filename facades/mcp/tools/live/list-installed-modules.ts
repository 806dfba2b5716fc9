import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { buildTextSchema, LIVE_READING_TOOL } from '../kit.ts';

export const listInstalledModulesTool = defineTool({
  name: 'list_installed_modules',
  title: 'List installed apps',
  description: 'Lists the installed apps and their dependencies.',
  inputSchema: inputSchema({
    filter: { ...buildTextSchema('Part of a name.'), default: '' },
    apps_only: { type: 'boolean', default: false },
  }),
  ...LIVE_READING_TOOL,
  run: async ({ ctx, args: { filter, apps_only: appsOnly } }) => {
    const moduleRows = await call(ctx, 'installedModules', { filter, appsOnly });
    const modules = moduleRows.map(({ name, shortdesc, installedVersion, application }) => ({
      name,
      shortdesc,
      installed_version: installedVersion,
      application,
    }));
    return toToolResult({ modules }, modules.length);
  },
});
