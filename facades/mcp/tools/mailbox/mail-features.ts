import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, type Tool, toToolResult } from '../../tool.ts';
import { hasRole, hasScope } from '../../tool-roles.ts';
import { READING_TOOL } from '../kit.ts';

/** Optional features that a tool uses if they are enabled. */
const TOOLS_BY_FEATURE: Record<string, readonly string[]> = {
  inbox_read: ['mail.search', 'mail.unified_inbox'],
  inbox_thread: ['mail.threading'],
  inbox_message: ['mail.inbound_attachments'],
  mail_organize: ['mail.organize'],
  mail_send: ['mail.composer2', 'mail.honest_send'],
};

export const mailFeaturesTool = defineTool({
  name: 'mail_features',
  title: 'Mail features',
  description:
    'Lists the enabled and disabled mail features, and how each mail tool is limited by the disabled ones.',
  inputSchema: inputSchema({}),
  ...READING_TOOL,
  group: 'mail',
  method: 'get_features',
  isOurs: true,
  run: async ({ ctx, tools }) => {
    const states = Object.entries(await call(ctx, 'mailFeatureStates', {}));
    const enabledStates = states.flatMap(([key, isOn]) => (isOn ? key : []));
    const disabledStates = states.flatMap(([key, isOn]) => (isOn ? [] : key));
    const modules = await call(ctx, 'installedModules', { filter: 'mail' });
    const hasMail = modules.some(({ name }) => name === 'mail');
    const members = {
      enabled: enabledStates,
      disabled: disabledStates,
      // Rules and webmail are part of the same module.
      rules_module_installed: hasMail,
      webmail_installed: hasMail,
      tools: Object.fromEntries(
        tools
          .filter(({ group }) => group === 'mail')
          .map((tool) => [tool.name, getToolState(ctx, tool, disabledStates)]),
      ),
    };
    return toToolResult(members, states.length);
  },
});

function getToolState({ principal }: Ctx, { name, feature, role, scope }: Tool, disabled: string[]) {
  const missing = [
    ...(feature && disabled.includes(feature) ? [feature] : []),
    ...(role && !hasRole(principal!, role) ? [role] : []),
    ...(hasScope(principal!, scope) ? [] : [`scope ${scope}`]),
  ];
  const limited = (TOOLS_BY_FEATURE[name] ?? []).filter((key) => disabled.includes(key));
  return { available: missing.length === 0, missing, limited };
}
