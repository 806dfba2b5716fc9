import { buildMcpUrl, buildSetupText } from '../../../schema/base/agents/setup-text.ts';
import { loadConfig } from '../../../src/config.ts';

export interface McpConfigOptions {
  client: string;
  workspace?: string;
  key?: boolean;
  readOnly?: boolean;
  groups?: string;
}

/** The text to copy into the configuration of a client. @throws BAD_REQUEST for a client that is not known */
export function mcpConfig({ client, workspace, key, readOnly, groups }: McpConfigOptions): string {
  const url = buildMcpUrl(loadConfig(process.env, () => '').publicUrl, workspace);
  if (groups) url.searchParams.set('groups', groups);
  if (readOnly) url.searchParams.set('readonly', '1');
  return buildSetupText(client, { url: url.href.replaceAll('%2C', ','), key: key ?? false });
}
