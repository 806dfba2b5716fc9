// Taken from the documentation and code of well-known clients.

export interface ClientRegistration {
  name: string;
  metadata: Record<string, unknown>;
  redirectUri: string;
}

const PUBLIC_CLIENT = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

export const CLIENT_REGISTRATIONS: ClientRegistration[] = [
  {
    name: 'Claude',
    metadata: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      scope: 'mcp:read mcp:write',
      ...PUBLIC_CLIENT,
    },
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  },
  {
    name: 'Claude Code',
    metadata: {
      client_name: 'Claude Code (atrium)',
      redirect_uris: ['http://localhost:54545/callback'],
      ...PUBLIC_CLIENT,
    },
    redirectUri: 'http://localhost:61234/callback',
  },
  {
    name: 'ChatGPT',
    metadata: {
      client_name: 'ChatGPT',
      client_uri: 'https://chatgpt.com',
      redirect_uris: ['https://chatgpt.com/connector/oauth/abc123'],
      scope: 'openid email mcp:read',
      ...PUBLIC_CLIENT,
    },
    redirectUri: 'https://chatgpt.com/connector/oauth/abc123',
  },
  {
    name: 'Cursor',
    metadata: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ...PUBLIC_CLIENT,
    },
    redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  {
    name: 'VS Code',
    metadata: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUri: 'http://127.0.0.1:33418/',
  },
  {
    name: 'mcp-remote',
    metadata: {
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      redirect_uris: ['http://localhost:3334/oauth/callback'],
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.29',
      ...PUBLIC_CLIENT,
    },
    redirectUri: 'http://localhost:3334/oauth/callback',
  },
  {
    name: 'MCP Inspector',
    metadata: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
      ...PUBLIC_CLIENT,
    },
    redirectUri: 'http://localhost:6274/oauth/callback/debug',
  },
];
