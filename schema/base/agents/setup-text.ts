import { errors } from '../../../src/errors.ts';

interface SetupServer {
  url: string;
  /** True if the client authenticates with an API key instead of signing in with the browser. */
  key: boolean;
}

interface SetupClient {
  label: string;
  /** File or program that the user pastes the text into. */
  location: string;
  text(server: SetupServer): string;
}

/** Environment variable for the key, which keeps it out of the client's configuration file. */
const KEY_VARIABLE = 'ATRIUM_KEY';

const toJsonText = (value: object): string => JSON.stringify(value, null, 2);

const addAuthorizationHeader = (address: object, { key }: SetupServer, value: string): object => ({
  ...address,
  ...(key && { headers: { Authorization: `Bearer ${value}` } }),
});

/** Keyed by the value of `--client`. */
export const SETUP_CLIENTS: Record<string, SetupClient> = {
  'claude-code': {
    label: 'Claude Code',
    location: 'Terminal',
    text: ({ url, key }) =>
      `claude mcp add --transport http atrium '${url}'` +
      (key ? ` --header "Authorization: Bearer $${KEY_VARIABLE}"` : ''),
  },
  'claude-desktop': {
    label: 'Claude Desktop',
    location: 'claude_desktop_config.json',
    text: ({ url, key }) =>
      toJsonText({
        mcpServers: {
          atrium: {
            command: 'npx',
            args: ['mcp-remote', url, ...(key ? ['--header', `Authorization:\${AUTH}`] : [])],
            ...(key && { env: { AUTH: 'Bearer <key>' } }),
          },
        },
      }),
  },
  cursor: {
    label: 'Cursor',
    location: '~/.cursor/mcp.json',
    text: (server) =>
      toJsonText({
        mcpServers: {
          atrium: addAuthorizationHeader({ url: server.url }, server, `\${env:${KEY_VARIABLE}}`),
        },
      }),
  },
  vscode: {
    label: 'VS Code',
    location: '.vscode/mcp.json',
    text: (server) =>
      toJsonText({
        ...(server.key && {
          inputs: [{ id: 'atrium-key', type: 'promptString', description: 'Atrium API key', password: true }],
        }),
        servers: {
          atrium: addAuthorizationHeader({ type: 'http', url: server.url }, server, `\${input:atrium-key}`),
        },
      }),
  },
  codex: {
    label: 'Codex',
    location: '~/.codex/config.toml',
    text: ({ url, key }) =>
      [
        '[mcp_servers.atrium]',
        `url = "${url}"`,
        ...(key ? [`bearer_token_env_var = "${KEY_VARIABLE}"`] : []),
      ].join('\n'),
  },
  'gemini-cli': {
    label: 'Gemini CLI',
    location: '~/.gemini/settings.json',
    text: (server) =>
      toJsonText({
        mcpServers: { atrium: addAuthorizationHeader({ httpUrl: server.url }, server, `$${KEY_VARIABLE}`) },
      }),
  },
  windsurf: {
    label: 'Windsurf',
    location: '~/.codeium/windsurf/mcp_config.json',
    text: (server) =>
      toJsonText({
        mcpServers: {
          atrium: addAuthorizationHeader({ serverUrl: server.url }, server, `\${env:${KEY_VARIABLE}}`),
        },
      }),
  },
};

/** @throws BAD_REQUEST if the client is unknown */
export function buildSetupText(client: string, server: SetupServer): string {
  const setupClient = Object.hasOwn(SETUP_CLIENTS, client) ? SETUP_CLIENTS[client] : undefined;
  if (!setupClient)
    throw errors.badRequest(`--client must be one of ${Object.keys(SETUP_CLIENTS).join(', ')}.`);
  return setupClient.text(server);
}

/** Workspaces other than `main` are served on a subdomain. */
export function buildMcpUrl(publicUrl: string, workspace: string | undefined): URL {
  const url = new URL('/mcp', publicUrl);
  if (workspace && workspace !== 'main') url.hostname = `${workspace}.${url.hostname}`;
  return url;
}
