import { loadConfig } from '../../../src/config.ts';
import { errors } from '../../../src/errors.ts';

export interface McpConfigOptions {
  client: string;
  workspace?: string;
  key?: boolean;
  readOnly?: boolean;
  groups?: string;
}

interface Server {
  url: string;
  /** Whether the client sends a key; else it signs in with the browser. */
  key: boolean;
}

/** The environment variable that configurations name; a key belongs into no file. */
const VARIABLE = 'ATRIUM_KEY';

const json = (value: object): string => JSON.stringify(value, null, 2);

const withHeader = (address: object, { key }: Server, value: string): object => ({
  ...address,
  ...(key && { headers: { Authorization: `Bearer ${value}` } }),
});

/** What each client wants to be given, by the name of the client. */
const CLIENTS: Record<string, (server: Server) => string> = {
  'claude-code': ({ url, key }) =>
    `claude mcp add --transport http atrium '${url}'` +
    (key ? ` --header "Authorization: Bearer $${VARIABLE}"` : ''),
  'claude-desktop': ({ url, key }) =>
    json({
      mcpServers: {
        atrium: {
          command: 'npx',
          args: ['mcp-remote', url, ...(key ? ['--header', `Authorization:\${AUTH}`] : [])],
          ...(key && { env: { AUTH: 'Bearer <key>' } }),
        },
      },
    }),
  cursor: (server) =>
    json({ mcpServers: { atrium: withHeader({ url: server.url }, server, `\${env:${VARIABLE}}`) } }),
  vscode: (server) =>
    json({
      ...(server.key && {
        inputs: [{ id: 'atrium-key', type: 'promptString', description: 'Key of Atrium', password: true }],
      }),
      servers: { atrium: withHeader({ type: 'http', url: server.url }, server, `\${input:atrium-key}`) },
    }),
  codex: ({ url, key }) =>
    ['[mcp_servers.atrium]', `url = "${url}"`, ...(key ? [`bearer_token_env_var = "${VARIABLE}"`] : [])].join(
      '\n',
    ),
  'gemini-cli': (server) =>
    json({ mcpServers: { atrium: withHeader({ httpUrl: server.url }, server, `$${VARIABLE}`) } }),
  windsurf: (server) =>
    json({ mcpServers: { atrium: withHeader({ serverUrl: server.url }, server, `\${env:${VARIABLE}}`) } }),
};

/** The text to copy into the configuration of a client. @throws BAD_REQUEST for a client that is not known */
export function mcpConfig({ client, workspace, key, readOnly, groups }: McpConfigOptions): string {
  const textFor = Object.hasOwn(CLIENTS, client) ? CLIENTS[client] : undefined;
  if (!textFor) throw errors.badRequest(`--client is one of ${Object.keys(CLIENTS).join(', ')}.`);
  const url = new URL('/mcp', loadConfig(process.env, () => '').publicUrl);
  if (workspace && workspace !== 'main') url.hostname = `${workspace}.${url.hostname}`;
  if (groups) url.searchParams.set('groups', groups);
  if (readOnly) url.searchParams.set('readonly', '1');
  return textFor({ url: url.href.replaceAll('%2C', ','), key: key ?? false });
}
