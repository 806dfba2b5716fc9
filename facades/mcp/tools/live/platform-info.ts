import { call } from '../../../../src/engine/operation/call.ts';
import { version } from '../../../../src/version.ts';
import { inputSchema } from '../../input-schema.ts';
import { MCP_SERVER_INFO } from '../../protocol/server-info.ts';
import { defineTool, toReadingTool, toToolResult } from '../../tool.ts';
import { hasRole, isAllowedFor } from '../../tool-roles.ts';
import { LIVE_READING_TOOL } from '../kit.ts';

export const platformInfoTool = defineTool({
  name: 'platform_info',
  title: 'About this server',
  description:
    "Returns the server's address and version, the workspace, the user, and the available tools, apps and " +
    'mail features.',
  inputSchema: inputSchema({}),
  ...LIVE_READING_TOOL,
  run: async ({ ctx, tools }) => {
    const { principal, workspace, runtime } = ctx;
    const modules = await call(ctx, 'installedModules', {});
    const features = Object.entries(await call(ctx, 'mailFeatureStates', {}));
    const availableTools = tools.filter((tool) =>
      [tool, toReadingTool(tool)].some((form) => form && isAllowedFor(principal!, form)),
    );
    const members = {
      tenant_db: workspace.slug,
      base_url: runtime.config.publicUrl,
      svc_version: version,
      mcp_server: {
        name: MCP_SERVER_INFO.name,
        version: MCP_SERVER_INFO.version,
        tools: availableTools.map(({ name }) => name),
        tool_count: availableTools.length,
      },
      installed_module_count: modules.length,
      applications: modules.flatMap(({ application, shortdesc }) => (application ? shortdesc : [])),
      your_user: {
        login: principal!.login,
        name: principal!.name,
        is_admin: hasRole(principal!, 'administrator'),
        lang: principal!.lang,
        tz: principal!.tz,
      },
      mail: {
        installed: modules.some(({ name }) => name === 'mail'),
        features_on: features.flatMap(([key, isOn]) => (isOn ? key : [])),
      },
    };
    return toToolResult(members, 1);
  },
});
