/**
 * Code snippets for a call. They read the key from the environment variable API_KEY instead of containing it. Pure.
 * @typedef {{ origin: string, database: string, login: string, model: string, method: string, named: Record<string,
 * unknown>, takesIds: boolean, graphql: { kind: string, field: string, arguments: Record<string, string>, select:
 * string } }} Call
 */

const formatJson = (value) => JSON.stringify(value, null, 2);
const buildUrl = (call) => `${call.origin}/json/2/${call.model}/${call.method}`;

/** For a POSIX shell. @param {Call} call */
export function buildCurl(call) {
  return [
    `curl -s ${quoteForShell(buildUrl(call))}`,
    `-H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json'`,
    `-d ${quoteForShell(JSON.stringify(call.named))}`,
  ].join(' \\\n  ');
}

const quoteForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Uses classic RPC with Python's standard library. @param {Call} call */
export function buildPython(call) {
  const { ids, ...rest } = call.named;
  const keywords = call.takesIds ? rest : call.named;
  const positional = call.takesIds ? [ids ?? []] : [];
  return `import os
import xmlrpc.client

url = ${formatPythonLiteral(call.origin)}
db, login, key = ${formatPythonLiteral(call.database)}, ${formatPythonLiteral(call.login)}, os.environ["API_KEY"]

uid = xmlrpc.client.ServerProxy(f"{url}/xmlrpc/2/common").authenticate(db, login, key, {})
models = xmlrpc.client.ServerProxy(f"{url}/xmlrpc/2/object", allow_none=True)
answer = models.execute_kw(
    db, uid, key, ${formatPythonLiteral(call.model)}, ${formatPythonLiteral(call.method)},
    ${formatPythonLiteral(positional)}, ${formatPythonLiteral(keywords)},
)
print(answer)
`;
}

/** Formats a JSON value as a Python literal. JSON strings are valid Python strings. */
function formatPythonLiteral(value) {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(formatPythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${formatPythonLiteral(inner)}`,
  );
  return `{${entries.join(', ')}}`;
}

/** For Node, Deno, Bun or a bundler. @param {Call} call */
export function buildTypescript(call) {
  return `const response = await fetch(${JSON.stringify(buildUrl(call))}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.API_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${formatJson(call.named).replaceAll('\n', '\n  ')}),
});
if (!response.ok) throw new Error(await response.text());
const answer: unknown = await response.json();
console.log(answer);
`;
}

/**
 * Inlines the argument values of the operation's root field. A value with a key that GraphQL cannot express becomes a
 * variable, which a comment defines. @param {Call} call
 */
export function buildGraphql(call) {
  const { kind, field, arguments: types, select } = call.graphql;
  const known = { ...(types.model && { model: call.model }), ...(types.ids && { ids: [] }), ...call.named };
  const values = Object.fromEntries(Object.keys(types).map((name) => [name, known[toSnakeCase(name)]]));
  const given = Object.keys(types).filter((name) => values[name] !== undefined);
  const variables = given.filter((name) => !isWritable(values[name]));
  const declared = variables.map((name) => `$${name}: ${types[name]}`).join(', ');
  const passed = given.map(
    (name) => `${name}: ${variables.includes(name) ? `$${name}` : formatGraphqlValue(values[name])}`,
  );
  const told = Object.fromEntries(variables.map((name) => [name, values[name]]));
  const comment = variables.length ? `# variables: ${JSON.stringify(told)}\n` : '';
  const list = passed.length ? `(${passed.join(', ')})` : '';
  return `${comment}${kind}${declared && ` (${declared})`} {\n  ${field}${list}${select && ` ${select}`}\n}\n`;
}

/** Returns the argument's name in other protocols: `valsList` becomes `vals_list`. */
const toSnakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const NAME = /^[_A-Za-z]\w*$/;

function isWritable(value) {
  if (value === null || typeof value !== 'object') return true;
  const isNamed = Array.isArray(value) || Object.keys(value).every((key) => NAME.test(key));
  return isNamed && Object.values(value).every(isWritable);
}

function formatGraphqlValue(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatGraphqlValue).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}: ${formatGraphqlValue(inner)}`)
    .join(', ')}}`;
}

export const SNIPPETS = [
  ['curl', buildCurl],
  ['Python', buildPython],
  ['TypeScript', buildTypescript],
  ['GraphQL', buildGraphql],
];
