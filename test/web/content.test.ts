import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { buildPng } from '../harness/png.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** A generated letter avatar, modified to contain a script. */
const DRAWN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><script>alert(1)</script></svg>';

const app = setUpApp();
let cookie: string;
beforeAll(async () => {
  cookie = await signInWeb(app);
});

async function attach(vals: object, key = app.main.admin.key): Promise<number> {
  const answer = await json2(app, 'ir.attachment/create', { vals_list: vals }, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.json()[0];
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${app.url}${path}`, { headers });
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

describe('/web/content', () => {
  test('serves an attachment to a session and to a key, with file headers', async () => {
    const id = await attach({ name: 'zz.txt', raw: 'hello' });
    for (const credential of [{ cookie }, withKey(app.main.admin.key)]) {
      const response = await get(`/web/content/${id}`, credential);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'inline; filename=zz.txt',
        'cache-control': 'no-cache, private',
        etag: `"${createHash('sha1').update('hello').digest('hex')}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      });
      expect(await response.text()).toBe('hello');
    }
    const download = await get(`/web/content/${id}/any.txt?download=1`, { cookie });
    expect(download.headers.get('content-disposition')).toBe('attachment; filename=zz.txt');
  });

  test('responds 304 to a client that already has the file', async () => {
    const id = await attach({ name: 'zz.txt', raw: 'again' });
    const etag = (await get(`/web/content/${id}`, { cookie })).headers.get('etag')!;
    const response = await get(`/web/content/${id}`, { cookie, 'if-none-match': etag });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect((await get(`/web/content/${id}`, { 'if-none-match': etag })).status).toBe(404);
  });

  describe('binary field content', () => {
    const make = async (vals: object): Promise<number> =>
      (
        await json2(app, 'res.partner/create', { vals_list: [{ name: 'F', ...vals }] }, app.main.admin.key)
      ).json()[0];
    const write = async (ids: number[], vals: object) =>
      expect((await json2(app, 'res.partner/write', { ids, vals }, app.main.admin.key)).status).toBe(200);

    test('returns 304 until any byte of it changes', async () => {
      const bytes = randomBytes(5_000);
      const id = await make({ image_1920: bytes.toString('base64') });
      const path = `/web/content/res.partner/${id}/image_1920`;
      const wholeResponse = await get(path, { cookie });
      expect(Buffer.from(await wholeResponse.arrayBuffer()).equals(bytes)).toBe(true);
      const etag = wholeResponse.headers.get('etag')!;
      expect((await get(path, { cookie, 'if-none-match': etag })).status).toBe(304);
      expect((await get(path, { ...withKey(app.main.user.key), 'if-none-match': etag })).status).toBe(304);
      const otherTenant = await app.tenant('of-a-field');
      expect((await get(path, { ...withKey(otherTenant.admin.key), 'if-none-match': etag })).status).toBe(
        404,
      );
      bytes[2_500]! ^= 1;
      await write([id], { image_1920: bytes.toString('base64') });
      const changedResponse = await get(path, { cookie, 'if-none-match': etag });
      expect(Buffer.from(await changedResponse.arrayBuffer()).equals(bytes)).toBe(true);
      const part = await get(path, { cookie, range: 'bytes=2400-2599' });
      expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
        206,
        bytes.subarray(2_400, 2_600),
      ]);
      const query = `{ fileContent(model: "res.partner", id: "${id}", field: "image_1920") { checksum size } }`;
      const { data } = (await post(`${app.url}/graphql`, { query }, app.main.admin.key)).json();
      const checksum = createHash('sha1').update(bytes).digest('hex');
      expect(data.fileContent).toEqual({ checksum, size: bytes.length });
    });

    test('is not read if the client already has it', { tags: 'soak' }, async () => {
      // Exceeds the response limit for base64, so a read would fail.
      const id = await make({ image_1920: randomBytes(52_000_000).toString('base64') });
      const path = `/web/content/res.partner/${id}/image_1920`;
      const none = await get(path, { cookie, range: 'bytes=99000000-' });
      expect([none.status, none.headers.get('content-range')]).toEqual([416, 'bytes */52000000']);
      const etag = none.headers.get('etag')!;
      expect((await get(path, { cookie, 'if-none-match': etag })).status).toBe(304);
      expect((await get(path, { cookie })).status).toBe(422);
      await write([id], { image_1920: false });
      expect((await get(path, { cookie, 'if-none-match': etag })).status).toBe(404);
    });

    test('is read once for a resized image', async () => {
      const picture = buildPng(200, 100);
      const id = await make({ image_1920: picture.toString('base64') });
      const path = `/web/image/res.partner/${id}/image_1920?width=20&height=20`;
      const first = Buffer.from(await (await get(path, { cookie })).arrayBuffer());
      expect(first.readUInt32BE(16)).toBe(32);
      expect(Buffer.from(await (await get(path, { cookie })).arrayBuffer()).equals(first)).toBe(true);
      await write([id], { image_1920: buildPng(200, 200).toString('base64') });
      const second = Buffer.from(await (await get(path, { cookie })).arrayBuffer());
      expect([second.readUInt32BE(16), second.readUInt32BE(20)]).toEqual([32, 32]);
    });
  });

  test.each([
    ['page.html', 'text/html', '<script>1</script>'],
    ['picture.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['data.xml', 'application/xml', '<a/>'],
  ])('never shows active content inline: %s', async (name, mimetype, raw) => {
    const id = await attach({ name, mimetype, raw });
    const response = await get(`/web/content/${id}`, { cookie });
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=${name}`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('supports any characters in the file name', async () => {
    const id = await attach({ name: 'Ré "x"\r\nset-cookie: a=1.txt', raw: 'x' });
    const response = await get(`/web/content/${id}`, { cookie });
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="R_ _x___set-cookie: a=1.txt"; filename*=UTF-8''R%C3%A9%20%22x%22__set-cookie%3A%20a%3D1.txt`,
    );
    expect(response.headers.get('set-cookie')).toBe(null);
  });

  test("is accessible only with the caller's permissions", async () => {
    const id = await attach({ name: 'mine.txt', raw: 'mine' });
    const otherTenant = await app.tenant('other');
    const strangers: Record<string, string>[] = [
      {},
      withKey(app.main.user.key),
      withKey(app.main.teamKey),
      withKey('atr_nobody'),
      withKey(otherTenant.admin.key),
      { 'x-odoo-database': 'main' },
    ];
    for (const headers of strangers) expect((await get(`/web/content/${id}`, headers)).status).toBe(404);
    for (const path of [
      '999999',
      '0',
      'x',
      `res.partner/${id}/name`,
      `res.partner/999999/image_1920`,
      'no.model/1/x',
    ])
      expect((await get(`/web/content/${path}`, { cookie })).status).toBe(404);
  });

  test('serves a public attachment if the workspace is specified, and a private one with a token', async () => {
    const open = await attach({ name: 'open.txt', raw: 'open', public: true });
    expect((await get(`/web/content/${open}?db=main`)).status).toBe(200);
    expect((await get(`/web/content/${open}`, { 'x-odoo-database': 'main' })).status).toBe(200);
    expect((await get(`/web/content/${open}`, withKey(app.main.user.key))).status).toBe(200);
    const readPolicy = async (path: string, headers = {}) =>
      (await get(path, headers)).headers.get('cross-origin-resource-policy');
    expect(await readPolicy(`/web/content/${open}?db=main`)).toBe('cross-origin');
    expect(await readPolicy(`/web/content/${open}`, { cookie })).toBe('same-origin');
    for (const query of ['', '?db=other', '?db=nope'])
      expect((await get(`/web/content/${open}${query}`)).status).toBe(404);
    const shut = await attach({ name: 'shut.txt', raw: 'shut' });
    const token = await json2(
      app,
      'ir.attachment/generate_access_token',
      { ids: [shut] },
      app.main.admin.key,
    );
    expect((await get(`/web/content/${shut}?db=main&access_token=${token.json()[0]}`)).status).toBe(200);
    expect((await get(`/web/content/${shut}?db=main&access_token=x`)).status).toBe(404);
    expect((await get(`/web/content/${shut}?db=main&access_token=`)).status).toBe(404);
  });
});

describe('/web/image', () => {
  test("returns a record's image, but no other content", async () => {
    const vals = { name: 'Pictured', image_1920: PIXEL };
    const [id] = (await json2(app, 'res.partner/create', { vals_list: vals }, app.main.admin.key)).json();
    for (const path of [
      `/web/image/res.partner/${id}/image_128`,
      `/web/content/res.partner/${id}/image_1920`,
    ]) {
      const response = await get(path, { cookie });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(PIXEL);
      expect((await get(path)).status).toBe(404);
    }
    const text = await attach({ name: 'no.txt', raw: 'no picture' });
    expect((await get(`/web/image/${text}`, { cookie })).status).toBe(404);
    const picture = await attach({ name: 'a.png', datas: PIXEL });
    expect((await get(`/web/image/${picture}`, { cookie })).headers.get('content-disposition')).toBe(
      'inline; filename=a.png',
    );
  });

  test('draws an initial for a record without an image, and does not serve an uploaded SVG', async () => {
    const rows = [{ name: 'Ann' }, { name: 'Bo', image_1920: Buffer.from(DRAWN).toString('base64') }];
    const [ann, bo] = (
      await json2(app, 'res.partner/create', { vals_list: rows }, app.main.admin.key)
    ).json();
    const avatar = await get(`/web/image/res.partner/${ann}/avatar_128`, { cookie });
    expect([avatar.status, avatar.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(avatar.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(await avatar.text()).toMatch(/^<svg [\s\S]*>A<\/text><\/svg>$/);
    const user = await get(`/web/image/res.users/${app.main.admin.id}/avatar_128`, { cookie });
    expect(user.headers.get('content-type')).toBe('image/svg+xml');
    expect((await get(`/web/image/res.partner/${bo}/avatar_128`, { cookie })).status).toBe(404);
    const picture = await get(`/web/content/res.partner/${bo}/avatar_128`, { cookie });
    expect(picture.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});
