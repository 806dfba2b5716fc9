import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createRandomSource, METHODS } from '../rpc/random-json.ts';

const app = setUpApp();

const MODELS = ['res.partner', 'res.partner', 'res.users', 'res.groups', 'no.such', '__proto__', 'svc.email'];
const NAMES = ['ids', 'domain', 'fields', 'limit', 'offset', 'order', 'context', 'vals', 'vals_list', 'name'];

async function postStatus(path: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${app.url}/json/2/${path}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  const text = await response.text();
  const summary = `${path} ${body.toString().slice(0, 600)} -> ${text.slice(0, 300)}`;
  expect(response.status, summary).toBeLessThan(500);
  const result = JSON.parse(text);
  if (response.status >= 400)
    expect(Object.keys(result), summary).toEqual(['name', 'message', 'arguments', 'context', 'debug']);
  return response.status;
}

const buildBearer = () => ({ authorization: `Bearer ${app.main.admin.key}` });

test('never fails unexpectedly with random named arguments', async () => {
  const draw = createRandomSource(41);
  const met = new Set<number>();
  for (let i = 0; i < 700; i++) {
    const namedArgs = Object.fromEntries(
      Array.from({ length: 1 + draw.below(3) }, () => [draw.pick(NAMES), draw.value(4)]),
    );
    const path = `${draw.pick(MODELS)}/${draw.pick(METHODS)}`;
    met.add(
      await postStatus(path, Buffer.from(JSON.stringify(namedArgs)), {
        ...buildBearer(),
        'content-type': 'application/json',
      }),
    );
  }
  expect([...met].sort()).toEqual(expect.arrayContaining([200, 403, 404, 422]));
});

test('never fails unexpectedly with random bodies and headers', async () => {
  const draw = createRandomSource(42);
  for (let i = 0; i < 400; i++) {
    const headers: Record<string, string> = {
      ...(draw.below(8) ? buildBearer() : {}),
      'content-type': draw.below(8)
        ? 'application/json'
        : draw.pick(['text/plain', 'application/json;x', '*/*']),
      ...(draw.below(4) === 0 && {
        'idempotency-key': draw.pick(['a', 'b', ' ', 'é', '\\u0000', 'k'.repeat(300)]),
      }),
      ...(draw.below(8) === 0 && { 'x-odoo-database': draw.pick(['main', 'x', '%00', '__proto__']) }),
      ...(draw.below(8) === 0 && {
        cookie: draw.pick(['session_id=x', `session_id=${'y'.repeat(43)}`, '=;=']),
      }),
    };
    const path = `res.partner/${draw.pick(['search', 'search_read', 'create', 'name_search'])}`;
    await postStatus(path, draw.body(draw.value(5)), headers);
  }
});
