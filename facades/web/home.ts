import { html } from 'hono/html';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Html } from '../../src/http/page.ts';

export function renderHomePage(runtime: Runtime, caller: Caller | null): Html {
  const { publicUrl: base, web } = runtime.config;
  const facades = web ? [APPLICATION, ...HOME_LINKS] : HOME_LINKS;
  return html`<h1>Atrium</h1>
<p class="soft">Email and business records for many workspaces, on your own server.
Every protocol below is an interface to the same GraphQL core.</p>
<p>${renderSignedIn(caller)}</p>
<h2>Interfaces</h2>
<div class="card"><table class="stack">${facades.map(renderRow)}</table></div>
<h2>Try it</h2>
${buildExamples(base).map(renderExample)}
<p class="soft">The first start printed the keys.
Create another with <code>npm run -s cli -- key create --workspace main --user admin</code>.
Click a command to select it.</p>`;
}

function renderSignedIn(caller: Caller | null): Html {
  if (!caller) return html`<a href="/login">Sign in</a>`;
  const { principal, workspace } = caller;
  return html`Signed in as <strong>${principal.name}</strong> in <strong>${workspace.name}</strong>.
<form class="line" method="post" action="/logout"><button>Sign out</button></form>`;
}

const renderRow = ([path, name, description, open]: HomeLink): Html => html`<tr>
<td>${open ? html`<a href="${path}">${name}</a>` : name}</td>
<td><code>${path}</code></td>
<td class="soft">${description}</td>
</tr>`;

const renderExample = ([description, command]: [string, string]): Html =>
  html`<div class="card"><strong>${description}</strong><pre class="copy">${command}</pre></div>`;

type HomeLink = [path: string, name: string, what: string, canOpen: boolean];

const APPLICATION: HomeLink = ['/app', 'Application', 'email, records, websites and administration', true];

const HOME_LINKS: HomeLink[] = [
  ['/graphql', 'GraphiQL', 'GraphQL: all models and operations, with the schema', true],
  ['/api/v1/ui', 'Email API', 'the email REST API, described at /api/v1/doc', true],
  ['/dev/outbox', 'Outbox', 'messages stored by the local transport instead of being sent', true],
  ['/doc', 'Models', 'models, fields and methods; try a call and copy it as code', true],
  ['/json/2/<model>/<method>', 'JSON API', 'record methods with named arguments', false],
  ['/xmlrpc/2/object', 'XML-RPC', 'classic RPC; sign in at /xmlrpc/2/common', false],
  ['/jsonrpc', 'JSON-RPC', 'the same calls as JSON', false],
  ['/mcp', 'MCP', 'tools for agents, if enabled in the workspace', false],
  ['/api/health', 'Health', 'liveness; /api/ready also checks the database', true],
  ['/metrics', 'Metrics', 'for Prometheus', true],
];

function buildExamples(base: string): [string, string][] {
  const email = {
    from: 'Atrium <hello@main.localhost>',
    to: 'you@example.org',
    subject: 'Hello',
    text: 'It works.',
  };
  const query = { query: '{ partners(first: 5) { nodes { id name email parent { name } } } }' };
  return [
    ['Send an email, then look into the outbox', buildCommand(`${base}/api/v1/emails`, '<team key>', email)],
    [
      'Read contacts through the JSON API',
      buildCommand(`${base}/json/2/res.partner/search_read`, '<user key>', {
        fields: ['name', 'email'],
        limit: 5,
      }),
    ],
    ['Query the GraphQL core', buildCommand(`${base}/graphql`, '<user key>', query)],
  ];
}

const buildCommand = (url: string, key: string, body: object): string =>
  `curl -s ${url} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
