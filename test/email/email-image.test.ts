import { beforeAll, expect, it } from 'vitest';
import {
  MAX_EMAIL_IMAGE_BYTES,
  MAX_WORKSPACE_IMAGE_BYTES,
} from '../../schema/email/templates/email-image.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';

const team = setUpTeam();
let otherTenant: Tenant;
beforeAll(async () => {
  otherTenant = await team.tenant('other');
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const UPLOAD = `mutation ($name: String!, $content: Bytes!) {
  emailImageUpload(name: $name, content: $content) { url attachmentId width height size } }`;

const uploadImage = (content: Buffer, key?: string, name = 'dot.png') =>
  team.graphql(UPLOAD, { name, content: content.toString('base64') }, key);

const put1 = async (content: Buffer, key?: string) => {
  const { data, errors } = await uploadImage(content, key);
  expect(errors ?? []).toEqual([]);
  return data.emailImageUpload;
};

const padPng = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes)]);

const getErrorMessage = async (upload: ReturnType<typeof uploadImage>) => (await upload).errors![0]!.message;

it('serves an image publicly at a permanent URL with restrictive headers', async () => {
  const image = await put1(PNG);
  expect(image).toMatchObject({ width: 1, height: 1, size: PNG.length });
  expect(await put1(PNG)).toEqual(image);
  const response = await fetch(image.url);
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
});

it('does not serve a modified URL, or an attachment that was changed or deleted', async () => {
  const { url, attachmentId } = await put1(padPng(1));
  const other = await put1(padPng(2));
  const hash = url.split('/').at(-1);
  for (const invalid of [url.slice(0, -1), `${other.url.slice(0, other.url.lastIndexOf('/'))}/${hash}`])
    expect((await fetch(invalid)).status).toBe(400);
  const { errors } = await team.graphql(
    'mutation ($id: ID!) { attachmentUpdate(id: $id, input: { raw: "eA==" }) { id } }',
    { id: attachmentId },
  );
  expect(errors ?? []).toEqual([]);
  expect((await fetch(url)).status).toBe(404);
  await team.graphql('mutation ($id: ID!) { attachmentDelete(id: $id) { __typename } }', {
    id: other.attachmentId,
  });
  expect((await fetch(other.url)).status).toBe(404);
});

it('rejects a file that is too large or not a supported image, with the reason', async () => {
  expect(
    await getErrorMessage(uploadImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))),
  ).toContain('not a PNG');
  expect(await getErrorMessage(uploadImage(padPng(MAX_EMAIL_IMAGE_BYTES)))).toContain('at most 2 MB');
  expect(await getErrorMessage(uploadImage(PNG, undefined, ' / '))).toContain('a name is required');
});

it('limits the total image size of a workspace independently of others', async () => {
  await put1(padPng(3));
  await team.runtime.db.rows(
    sql`update ir_attachment set file_size = ${MAX_WORKSPACE_IMAGE_BYTES}
     where workspace_id = ${team.main.ctx.workspace.id} and res_model = 'svc.template' and checksum is not null`,
  );
  expect(await getErrorMessage(uploadImage(padPng(4)))).toContain('a workspace can store at most');
  await put1(padPng(3));
  await put1(padPng(4), otherTenant.admin.key);
});

it('rejects uploads by users who may not write campaigns', async () => {
  expect(await getErrorMessage(uploadImage(padPng(5), team.main.user.key))).toMatch(/Administrator role/);
});
