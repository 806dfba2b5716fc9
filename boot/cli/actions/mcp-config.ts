import { buildMcpUrl, buildSetupText } from '../../../schema/base/agents/setup-text.ts';
import { loadConfig } from '../../../src/config.ts';

export interface McpConfigOptions {
  client: string;
  workspace?: string;
  key?: boolean;
  readOnly?: boolean;
  groups?: string;
}

/**
 * Builds the snippet for a client's configuration.
 * @throws BAD_REQUEST for an unknown client
 */
export function buildMcpConfig({ client, workspace, key, readOnly, groups }: McpConfigOptions): string {
  const url = buildMcpUrl(loadConfig(process.env, () => '').publicUrl, workspace);
  if (groups) url.searchParams.set('groups', groups);
  if (readOnly) url.searchParams.set('readonly', '1');
  return buildSetupText(client, { url: url.href.replaceAll('%2C', ','), key: key ?? false });
}
