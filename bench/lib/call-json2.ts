/** Calls the JSON API with a key. @throws Error for an error response */
// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the method
export async function callJson2(port: number, key: string, path: string, body: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}/json/2/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text);
}
