export function buildCurlCommand(origin: string, path: string, body: object, key: string): string {
  // An unescaped single quote would end the shell string.
  const json = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`).replace(/\n/g, '\n     ');
  return `curl ${origin}/api/v1${path} \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${json}'`;
}
