import { call } from '../../../../src/engine/operation/call.ts';
import { errors } from '../../../../src/errors.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { buildTextSchema, WRITING_TOOL } from '../kit.ts';
import { ANY_SCHEMA } from '../schemas.ts';

export const moduleConfigureTool = defineTool({
  name: 'module_configure',
  title: 'Configure apps',
  description:
    'With list: true, lists the settings that can be changed. Otherwise, changes one (administrators only).',
  inputSchema: inputSchema({
    list: { type: 'boolean', default: false },
    setting: buildTextSchema('Name of the setting, as listed.'),
    value: ANY_SCHEMA,
  }),
  ...WRITING_TOOL,
  group: 'live',
  method: null,
  isOurs: true,
  role: 'administrator',
  readsWith: { argument: 'list' },
  effects: (_ctx, { list }) => ({ effects: list ? ['reads'] : ['modules'], changes: list ? 0 : 1 }),
  run: async ({ ctx, args: { list, setting, value } }) => {
    if (list) {
      const settings = await call(ctx, 'appSettings', {});
      return toToolResult({ settings: settings.map(toSettingView) }, settings.length);
    }
    if (setting === undefined || value === undefined)
      throw errors.badValue('Pass a setting and its value, or list: true.');
    return toToolResult(
      { setting: toSettingView(await call(ctx, 'appSettingSet', { key: setting, value })) },
      1,
    );
  },
});

const toSettingView = ({
  key,
  app,
  default: standard,
  ...rest
}: {
  key: string;
  app: string;
  default: unknown;
}) => ({
  setting: key,
  module: app,
  ...rest,
  default: standard,
});
