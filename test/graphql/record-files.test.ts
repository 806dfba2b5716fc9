import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { post, setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { buildPng } from '../harness/png.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let otherTenant: Tenant;
const png = buildPng(40, 30);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3000)]);

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  const calls = createJsonClient(app);
  const [model] = await calls.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  await calls.create('ir.model.fields', {
    model_id: model,
    name: 'x_contract',
    field_description: 'Contract',
    ttype: 'binary',
  });
});

const queryGraphql = async (query: string, variables: object = {}, key = app.main.admin.key) =>
  (await post(`${app.url}/graphql`, { query, variables }, key)).json();

const uploadFile = async (body: Buffer, key = app.main.admin.key): Promise<string> => {
  const response = await fetch(`${app.url}/web/uploads?filename=a.bin`, {
    method: 'PUT',
    body: new Uint8Array(body),
    headers: { authorization: `Bearer ${key}` },
  });
  return (await response.json()).id;
};
const countWaiting = async () =>
  (
    await app.runtime.db.rows(
      sql`select id from svc_upload where workspace_id = ${app.main.ctx.workspace.id}`,
    )
  ).length;

const FILES = 'image1920 { size mimetype url } xContract { size mimetype url }';
const create = async (input: object, key?: string) =>
  queryGraphql(
    `mutation ($input: PartnerCreateInput!) { partnerCreate(input: $input) { id ${FILES} } }`,
    { input },
    key,
  );
const update = async (id: string, input: object) =>
  queryGraphql(
    `mutation ($id: ID!, $input: PartnerUpdateInput!) { partnerUpdate(id: $id, input: $input) { ${FILES} } }`,
    { id, input },
  );
const downloadFile = async (url: string, key = app.main.admin.key) => {
  const response = await fetch(`${app.url}${url}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe('files in record fields', () => {
  test('are written in base64 and read as size, media type and URL', async () => {
    const { data } = await create({
      name: 'Ann',
      image1920: png.toString('base64'),
      xContract: pdf.toString('base64'),
    });
    const { image1920, xContract } = data.partnerCreate;
    expect(image1920).toEqual({ size: png.length, mimetype: 'image/png', url: expect.any(String) });
    expect(xContract).toEqual({ size: pdf.length, mimetype: 'application/pdf', url: expect.any(String) });
    expect((await downloadFile(image1920.url)).bytes.equals(png)).toBe(true);
    expect((await downloadFile(xContract.url)).bytes.equals(pdf)).toBe(true);
    expect((await downloadFile(image1920.url, otherTenant.admin.key)).status).toBe(404);
  });

  test('are null if empty, including in lists and relations', async () => {
    const parent = await create({ name: 'Parent', image1920: png.toString('base64') });
    const { id, image1920 } = parent.data.partnerCreate;
    await create({ name: 'Child', parentId: id });
    const { data } = await queryGraphql(
      `query ($id: ID!) { partners(where: { id: { eq: $id } }) { nodes {
        displayName image1920 { url } children { nodes { image1920 { url } xContract { size } avatar128 { mimetype }
          parent { image1920 { size mimetype } } } } } } }`,
      { id },
    );
    expect(data.partners.nodes).toEqual([
      {
        displayName: 'Parent',
        image1920: { url: image1920.url },
        children: {
          nodes: [
            {
              image1920: null,
              xContract: null,
              avatar128: { mimetype: 'image/svg+xml' },
              parent: { image1920: { size: png.length, mimetype: 'image/png' } },
            },
          ],
        },
      },
    ]);
  });

  test('can be set from an upload, which is then deleted, and cleared with null', async () => {
    const partner = await create({
      name: 'Upload',
      image1920UploadId: await uploadFile(png),
      xContractUploadId: await uploadFile(pdf),
    });
    const { id, image1920, xContract } = partner.data.partnerCreate;
    expect((await downloadFile(image1920.url)).bytes.equals(png)).toBe(true);
    expect((await downloadFile(xContract.url)).bytes.equals(pdf)).toBe(true);
    expect(await countWaiting()).toBe(0);
    const cleared = (await update(id, { image1920UploadId: null })).data.partnerUpdate;
    expect(cleared).toMatchObject({ image1920: null, xContract: { size: pdf.length } });
    const larger = buildPng(80, 60);
    const changed = (await update(id, { image1920UploadId: await uploadFile(larger), xContract: null })).data
      .partnerUpdate;
    expect(changed.xContract).toBeNull();
    expect(changed.image1920.url).not.toBe(image1920.url);
    expect(
      createHash('sha1')
        .update((await downloadFile(changed.image1920.url)).bytes)
        .digest('hex'),
    ).toBe(createHash('sha1').update(larger).digest('hex'));
    const record = await createJsonClient(app).row('res.partner', Number(id), ['x_contract', 'image_1920']);
    expect(record).toMatchObject({ x_contract: false, image_1920: larger.toString('base64') });
    expect(await countWaiting()).toBe(0);
  });

  test('are set on records created in the same mutation', async () => {
    const [first, second] = [await uploadFile(png), await uploadFile(pdf)];
    const family = await create({
      name: 'Family',
      children: {
        create: [
          { name: 'A', image1920UploadId: first },
          { name: 'B', xContractUploadId: second },
        ],
      },
    });
    const { data } = await queryGraphql(
      `query ($id: ID!) { partner(id: $id) { children { nodes { name image1920 { size } xContract { size } } } } }`,
      { id: family.data.partnerCreate.id },
    );
    expect(data.partner.children.nodes).toEqual([
      { name: 'A', image1920: { size: png.length }, xContract: null },
      { name: 'B', image1920: null, xContract: { size: pdf.length } },
    ]);
    const response = await queryGraphql(
      `mutation ($inputs: [PartnerCreateInput!]!) { partnersCreate(inputs: $inputs) { image1920 { size } } }`,
      { inputs: [{ name: 'C' }, { name: 'D', image1920UploadId: await uploadFile(png) }] },
    );
    expect(response.data.partnersCreate).toEqual([{ image1920: null }, { image1920: { size: png.length } }]);
    expect(await countWaiting()).toBe(0);
  });

  test("cannot be set from an unknown upload, or from another user's or workspace's upload", async () => {
    const otherUpload = await uploadFile(png, otherTenant.admin.key);
    const colleagues = await uploadFile(png, app.main.user.key);
    for (const id of [otherUpload, colleagues, '999999', '0', 'x', '-1', '1e3']) {
      const { errors } = await create({ name: 'Thief', image1920UploadId: id });
      expect(errors[0].extensions).toMatchObject({ argument: 'input.image1920UploadId' });
    }
    const { data } = await queryGraphql('{ partners(where: { name: { eq: "Thief" } }) { totalCount } }');
    expect(data.partners.totalCount).toBe(0);
    // The colleague's own upload still exists.
    const ownUploads = await queryGraphql('{ uploads { nodes { id } } }', {}, app.main.user.key);
    expect(ownUploads.data.uploads.nodes).toEqual([{ id: colleagues }]);
    await queryGraphql(`mutation { fileUploadDiscard(id: "${colleagues}") }`, {}, app.main.user.key);
  });

  test('reject content combined with an upload, and keep the upload if the mutation fails', async () => {
    const upload = await uploadFile(png);
    const both = await create({ name: 'Both', image1920: png.toString('base64'), image1920UploadId: upload });
    expect(both.errors[0].extensions).toMatchObject({
      code: 'BAD_VALUE',
      argument: 'input.image1920UploadId',
    });
    const failed = await create({ name: 'Failed', image1920UploadId: upload, parentId: '987654321' });
    expect(failed.errors).toHaveLength(1);
    expect(await countWaiting()).toBe(1);
    expect((await create({ name: 'Now', image1920UploadId: upload })).errors).toBeUndefined();
    expect(await countWaiting()).toBe(0);
  });

  test('use an upload only once, even in concurrent mutations', async () => {
    const upload = await uploadFile(randomBytes(200_000));
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create({ name: `Race ${n}`, image1920UploadId: upload })),
    );
    const rejections = responses.filter(({ errors }) => errors);
    expect(rejections).toHaveLength(7);
    for (const { errors } of rejections)
      expect(errors[0].extensions).toMatchObject({ argument: 'input.image1920UploadId' });
    const { data } = await queryGraphql(
      '{ partners(where: { name: { startsWith: "Race" } }) { totalCount } }',
    );
    expect(data.partners.totalCount).toBe(1);
    expect(await countWaiting()).toBe(0);
  });

  test('get a new URL if only their middle bytes change, even when read through another record', async () => {
    const partner = await create({ name: 'Middle', image1920: pdf.toString('base64') });
    const { id } = partner.data.partnerCreate;
    const calls = createJsonClient(app);
    const user = await calls.create('res.users', { name: 'Middle', login: 'middle', partner_id: Number(id) });
    const readAddress = async () =>
      (
        await queryGraphql(
          'query ($id: ID!, $user: ID!) { partner(id: $id) { image1920 { url } avatar128 { url } } user(id: $user) { image1920 { url } } }',
          { id, user: String(user) },
        )
      ).data;
    const before = await readAddress();
    expect(await readAddress()).toEqual(before);
    const other = Buffer.from(pdf);
    other[2000]! ^= 1;
    await calls.value('res.partner/write', {
      ids: [Number(id)],
      vals: { image_1920: other.toString('base64') },
    });
    const after = await readAddress();
    expect(after.partner.image1920.url).not.toBe(before.partner.image1920.url);
    expect(after.partner.avatar128.url).not.toBe(before.partner.avatar128.url);
    expect(after.user.image1920.url).not.toBe(before.user.image1920.url);
  });

  test('may be empty and are returned as empty files', async () => {
    const none = await uploadFile(Buffer.alloc(0));
    const { data } = await create({ name: 'Empty', xContractUploadId: none, image1920: '' });
    const { xContract, id } = data.partnerCreate;
    expect(xContract.size).toBe(0);
    expect(await downloadFile(xContract.url)).toEqual({ status: 200, bytes: Buffer.alloc(0) });
    // Contacts without an image get a generated one with their initial.
    const avatar = await queryGraphql('query ($id: ID!) { partner(id: $id) { avatar128 { mimetype } } }', {
      id,
    });
    expect(avatar.data.partner.avatar128.mimetype).toBe('image/svg+xml');
  });

  test('have the same total size limit as field values', async () => {
    const large = await uploadFile(Buffer.alloc(limits.upload.fieldBytes + 1, 7));
    const { errors } = await create({ name: 'Large', image1920UploadId: large });
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_VALUE', argument: 'input.image1920UploadId' });
    const half = Buffer.alloc(limits.upload.fieldBytes / 2 + 1, 7);
    const [a, b] = [await uploadFile(half), await uploadFile(half)];
    const two = await create({ name: 'Two', image1920UploadId: a, xContractUploadId: b });
    expect(two.errors[0].message).toContain('in total');
    for (const id of [large, a, b]) await queryGraphql(`mutation { fileUploadDiscard(id: "${id}") }`);
  });

  test('cost more than other values in lists and relations', async () => {
    const fields = Array.from('abcdefghij', (name) => `${name}: image1920 { url }`).join(' ');
    const queryChildren = (first: number) =>
      queryGraphql(
        `{ partners(first: 500) { nodes { parent { children(first: ${first}) { nodes { ${fields} } } } } } }`,
      );
    expect((await queryChildren(10)).errors).toBeUndefined();
    expect((await queryChildren(12)).errors[0].message).toMatch(/500000|500,000/);
  });

  test('reject invalid base64', async () => {
    for (const invalid of ['not base64!!', 'A', 'data:image/png;base64,AAAA', 'AAAA=A'])
      expect((await create({ name: 'Wrong', image1920: invalid })).errors[0].message).toContain('base64');
    expect((await create({ name: 'Lines', image1920: 'AAAA\nAAAA' })).errors).toBeUndefined();
  });

  test('can be filtered by presence', async () => {
    const loadNames = async (where: string) => {
      const { data } = await queryGraphql(
        `{ partners(where: { and: [{ name: { in: ["F1", "F2"] } }, ${where}] }) { nodes { name } } }`,
      );
      return data.partners.nodes.map(({ name }: { name: string }) => name);
    };
    await create({ name: 'F1', image1920: png.toString('base64') });
    await create({ name: 'F2', xContract: pdf.toString('base64') });
    expect(await loadNames('{ image1920: { isNull: false } }')).toEqual(['F1']);
    expect(await loadNames('{ image1920: { isNull: true } }')).toEqual(['F2']);
    expect(await loadNames('{ xContract: { isNull: false } }')).toEqual(['F2']);
    expect(await loadNames('{ not: { xContract: { isNull: false } } }')).toEqual(['F1']);
    expect(await loadNames('{ children: { some: { xContract: { isNull: false } } } }')).toEqual([]);
  });

  test('reject sorting and grouping', async () => {
    for (const query of [
      '{ partners(orderBy: [{ field: IMAGE1920 }]) { totalCount } }',
      '{ partners(orderBy: [{ field: IMAGE_1920 }]) { totalCount } }',
      '{ partnerGroups(groupBy: [{ field: IMAGE1920 }]) { count } }',
    ])
      expect((await queryGraphql(query)).errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('are listed by modelDescribe', async () => {
    const { data } = await queryGraphql(
      '{ modelDescribe(model: "res.partner") { fields { name graphqlName type readonly } } }',
    );
    const getField = (name: string) =>
      data.modelDescribe.fields.find((field: { name: string }) => field.name === name);
    expect(getField('image_1920')).toMatchObject({
      graphqlName: 'image1920',
      type: 'BINARY',
      readonly: false,
    });
    expect(getField('x_contract')).toMatchObject({
      graphqlName: 'xContract',
      type: 'BINARY',
      readonly: false,
    });
    expect(getField('avatar_128')).toMatchObject({ graphqlName: 'avatar128', readonly: true });
  });
});
