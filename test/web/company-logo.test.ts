import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();

const requestLogo = (key?: string) =>
  fetch(`${app.url}/web/binary/company_logo`, { headers: key ? { authorization: `Bearer ${key}` } : {} });

test("returns the company logo to the company's users, and an empty image to others", async () => {
  const admin = createJsonClient(app);
  const { company_id } = await admin.row('res.users', app.main.admin.id, ['company_id']);
  const empty = await requestLogo(app.main.admin.key);
  expect([empty.status, empty.headers.get('content-type')]).toEqual([200, 'image/png']);
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('our logo')]);
  await admin.value('res.company/write', { ids: [company_id[0]], vals: { logo: bytes.toString('base64') } });
  const response = await requestLogo(app.main.user.key);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  const strange = await requestLogo();
  expect(strange.status).toBe(200);
  expect(Buffer.from(await strange.arrayBuffer())).not.toEqual(bytes);
});
