import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { parseImageHead } from '../../src/image/image-head.ts';
import { setUpApp } from '../harness/app.ts';
import { type GraphqlResponse, queryData, sendRequest } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

const HOST = 'main.atrium.test';

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let otherTenant: Tenant;
const calls = createJsonClient(app);
let wide: number;
let small: number;
let secret: number;

beforeAll(async () => {
  otherTenant = await app.tenant('other', 'apart');
  wide = await createAttachment({ datas: await createPicture(1200, 800) });
  small = await createAttachment({ datas: await createPicture(300, 200, 'png') });
  secret = await createAttachment({ datas: await createPicture(500, 500), public: false });
});

async function createPicture(
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' = 'jpeg',
) {
  const image = sharp({ create: { width, height, channels: 3, background: '#a33' } });
  return (await image[format]().toBuffer()).toString('base64');
}

const createAttachment = (values: object): Promise<number> =>
  calls.create('ir.attachment', { name: 'picture', public: true, ...values });

const get = (path: string, headers: Record<string, string> = {}, host = HOST): Promise<GraphqlResponse> =>
  sendRequest(app, 'GET', path, { host, ...headers });

const queryGraph = (document: string, variables: object) => queryData(app, document, { variables });

async function createPage(name: string, inner: string): Promise<string> {
  const { websitePageCreate } = await queryGraph(
    'mutation($name: String!) { websitePageCreate(name: $name, addMenu: false, published: true) { id url } }',
    { name },
  );
  await queryGraph(
    'mutation($id: ID!, $arch: String!) { websiteMarkupSet(pageId: $id, arch: $arch) { id } }',
    {
      id: websitePageCreate.id,
      arch: `<t t-call="website.layout"><section>${inner}</section></t>`,
    },
  );
  return websitePageCreate.url;
}

const findImages = ({ text }: GraphqlResponse): string[] => text.match(/<img\b[^>]*>/g) ?? [];

async function requestSize(
  path: string,
  headers: Record<string, string> = {},
  host = HOST,
): Promise<number[]> {
  const { port } = app;
  const response = await fetch(
    `http://127.0.0.1:${port}${path}${path.includes('?') ? '&' : '?'}db=${host.split('.')[0]}`,
    {
      headers,
    },
  );
  expect(response.status).toBe(200);
  const { width, height } = parseImageHead(Buffer.from(await response.arrayBuffer()))!;
  return [width, height];
}

test('adds width and height to images, and loads all but the first lazily', async () => {
  const url = await createPage(
    'Pictures',
    `<img src="/web/image/${small}" alt=""/><img t-attf-src="/web/image/${wide}/a-name.jpg" alt=""/>
     <img src="/web/image/${small}" width="30" alt=""/><img src="/web/image/${small}" loading="eager" alt=""/>
     <img src="https://elsewhere.example/a.png" alt=""/>`,
  );
  const page = await get(url);
  const address = `/web/image/${wide}/a-name.jpg`;
  expect(findImages(page)).toEqual([
    `<img src="/web/image/${small}" width="300" height="200" alt="">`,
    `<img src="${address}" width="1200" height="800" srcset="${address}?width=480 480w, ` +
      `${address}?width=960 960w, ${address} 1200w" sizes="auto, 100vw" loading="lazy" decoding="async" alt="">`,
    `<img src="/web/image/${small}" loading="lazy" decoding="async" width="30" alt="">`,
    `<img src="/web/image/${small}" width="300" height="200" loading="eager" alt="">`,
    '<img src="https://elsewhere.example/a.png" alt="">',
  ]);
  // URLs below the path of a website include the workspace.
  const shared = findImages(await get(`/site/main${url}`, {}, 'atrium.test'))[1]!;
  const sources = /srcset="([^"]+)"/.exec(shared)![1]!.replaceAll('&amp;', '&').split(', ');
  expect(sources).toHaveLength(3);
  for (const source of sources) {
    const [path, width] = source.split(' ') as [string, string];
    expect((await requestSize(path))[0]).toBe(Number.parseInt(width, 10));
  }
});

test('omits the sizes of images that are private, missing or in another workspace', async () => {
  const otherId = await createJsonClient(app, otherTenant.admin.key).create('ir.attachment', {
    ...{ name: 'theirs', public: true, datas: await createPicture(70, 70) },
  });
  const text = await createAttachment({ raw: 'no picture', mimetype: 'image/png' });
  const ids = [secret, 999_999, otherId, text];
  const url = await createPage('Unseen', ids.map((id) => `<img src="/web/image/${id}" alt=""/>`).join(''));
  const images = findImages(await get(url, { authorization: `Bearer ${app.main.admin.key}` }));
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).not.toMatch(/width|height|srcset/);
});

test('updates the size of a replaced image in cached pages immediately', async () => {
  const id = await createAttachment({ datas: await createPicture(100, 50) });
  const url = await createPage('Replaced', `<img src="/web/image/${id}" alt=""/>`);
  const loadFirstImage = async () => findImages(await get(url))[0];
  expect(await loadFirstImage()).toContain('width="100" height="50"');
  await calls.value('ir.attachment/write', { ids: [id], vals: { datas: await createPicture(60, 90) } });
  expect(await loadFirstImage()).toContain('width="60" height="90"');
  expect(await requestSize(`/web/image/${id}?width=30`)).toEqual([32, 48]);
  await calls.value('ir.attachment/write', { ids: [id], vals: { datas: await createPicture(80, 80) } });
  expect(await requestSize(`/web/image/${id}?width=30`)).toEqual([32, 32]);
  await calls.value('ir.attachment/write', { ids: [id], vals: { public: false } });
  expect(await loadFirstImage()).not.toContain('width');
});

test('resizes an image to the next width step without changing its format or enlarging it', async () => {
  const key = { authorization: `Bearer ${app.main.admin.key}` };
  for (const [path, size] of [
    ['?width=480', [480, 320]],
    ['?width=300', [480, 320]],
    ['?height=200', [480, 320]],
    ['/400x100', [256, 171]],
    ['/150x0/a-name.jpg', [256, 171]],
    ['?width=1100', [1200, 800]],
    ['?width=5000', [1200, 800]],
  ] as const)
    expect(await requestSize(`/web/image/${wide}${path}`), path).toEqual(size);
  expect(await requestSize(`/web/image/ir.attachment/${wide}/datas/60x60`, key)).toEqual([64, 43]);
  const turned = await sharp(Buffer.from(await createPicture(90, 60), 'base64'))
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect(
    await requestSize(`/web/image/${await createAttachment({ datas: turned.toString('base64') })}?width=30`),
  ).toEqual([32, 48]);
  for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
    const id = await createAttachment({ datas: await createPicture(90, 60, format) });
    const { headers } = await get(`/web/image/${id}?width=30`);
    expect(headers['content-type']).toBe(`image/${format}`);
    expect(await requestSize(`/web/image/${id}?width=30`)).toEqual(format === 'gif' ? [90, 60] : [32, 21]);
  }
});

test('serves the same image for all sizes between two steps', async () => {
  const widths = Array.from({ length: 20 }, (_, index) => 300 + index);
  const tags = await Promise.all(
    widths.map(async (width) => (await get(`/web/image/${wide}/${width}x900`)).headers.etag),
  );
  expect(new Set(tags).size).toBe(1);
});

test('returns a separate ETag for each size, and the original one for an unchanged image', async () => {
  const [original, smaller, fits] = await Promise.all(
    ['', '?width=300', '?width=5000'].map((query) => get(`/web/image/${wide}${query}`)),
  );
  expect(smaller!.headers.etag).not.toBe(original!.headers.etag);
  expect(fits!.headers.etag).toBe(original!.headers.etag);
  const { status } = await get(`/web/image/${wide}?width=300`, {
    'if-none-match': String(smaller!.headers.etag),
  });
  expect(status).toBe(304);
});

test("applies an image's access rules to every size", async () => {
  for (const path of [`${secret}?width=30`, `${secret}/30x30`, `ir.attachment/${secret}/datas/30x30`])
    expect((await get(`/web/image/${path}`)).status, path).toBe(404);
  expect((await get(`/web/image/${wide}/30x30`, {}, 'other.atrium.test')).status).toBe(404);
});

test('serves a damaged, animated or very large image unchanged', async () => {
  const cropped = Buffer.from(await createPicture(900, 600), 'base64');
  const vast = Buffer.from(await createPicture(40, 40, 'png'), 'base64');
  vast.writeUInt32BE(5_000, 16);
  vast.writeUInt32BE(5_001, 20);
  const frames = Buffer.concat([0, 255].map((red) => Buffer.alloc(40 * 40 * 3, red)));
  const moving = await sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } })
    .webp()
    .toBuffer();
  expect((await sharp(moving).metadata()).pages).toBe(2);
  for (const bytes of [cropped.subarray(0, cropped.length / 3), vast, moving]) {
    const id = await createAttachment({ datas: bytes.toString('base64') });
    const response = await get(`/web/image/${id}?width=20`);
    expect([response.status, response.headers['content-length']]).toEqual([200, String(bytes.length)]);
    expect(response.headers.etag).toBe((await get(`/web/image/${id}`)).headers.etag);
  }
});
