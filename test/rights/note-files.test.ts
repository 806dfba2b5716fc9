import { beforeAll, expect, test } from 'vitest';
import { addMember } from '../apps/member.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let portal: Awaited<ReturnType<typeof addMember>>;
let ticket: number;
let hidden: number;
beforeAll(async () => {
  portal = await addMember(app, app.main, 'customer', ['base.group_portal']);
  const { partner_id: partner } = await admin.read('res.users', portal.id, ['partner_id']);
  ticket = await admin.create('helpdesk.ticket', { name: 'Own', partner_id: partner });
  hidden = await admin.create('helpdesk.ticket', { name: 'Of another' });
});

const attach = (values: object) =>
  admin.create('ir.attachment', { name: 'f.txt', raw: 'secret', res_model: 'helpdesk.ticket', ...values });

const post = async (id: number, files: number[], values: object = {}) =>
  (
    await admin.value('helpdesk.ticket/message_post', {
      ...{ ids: [id], body: 'Said', attachment_ids: files },
      ...values,
    })
  )[0] as number;

const COMMENT = { subtype_xmlid: 'mail.mt_comment' };

async function findReaders(file: number): Promise<string[]> {
  const { caller, key } = portal;
  const readers: string[] = [];
  const domain = [['id', '=', file]];
  const count = await caller.value('ir.attachment/search_count', { domain });
  if (count > 0) readers.push('search');
  const args = { ids: [file], fields: ['name', 'raw'] };
  const response = await fetch(`${app.url}/json/2/ir.attachment/read`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  if ((await response.text()).includes('secret')) readers.push('read');
  const content = await fetch(`${app.url}/web/content/${file}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (content.status === 200) readers.push('content');
  const query =
    '{ attachments(where: { id: { eq: ID } }, first: 5) { nodes { name } } fileContent(id: ID) { name } }';
  const result = await postGraphql(app, query.replaceAll('ID', `"${file}"`), { key });
  if (result.data?.attachments?.nodes.length) readers.push('list');
  if (result.data?.fileContent) readers.push('file');
  return readers;
}

const ALL_WAYS = ['search', 'read', 'content', 'list', 'file'];

test('hides attachments of internal notes from portal users, and shows those of replies and records', async () => {
  const [note, reply, ownFile] = [await attach({}), await attach({}), await attach({ res_id: ticket })];
  await post(ticket, [note]);
  await post(ticket, [reply], COMMENT);
  expect(await findReaders(note)).toEqual([]);
  expect(await findReaders(reply)).toEqual(ALL_WAYS);
  expect(await findReaders(ownFile)).toEqual(ALL_WAYS);
  const messages = await portal.caller.value('mail.message/search_read', {
    domain: [],
    fields: ['attachment_ids'],
  });
  expect(messages.map((message: { attachment_ids: number[] }) => message.attachment_ids)).toEqual([[reply]]);
  expect((await admin.read('ir.attachment', note, ['raw'])).raw).toBe('secret');
});

test('keeps an attachment hidden if its record is hidden, or if its note is deleted or removes it', async () => {
  const files = [await attach({}), await attach({}), await attach({ res_id: ticket }), await attach({})];
  const deletedId = await post(ticket, [files[0]!]);
  const loses = await post(ticket, [files[1]!]);
  await post(hidden, [files[2]!], COMMENT);
  await post(ticket, [files[3]!], { subtype_xmlid: 'mail.mt_activities' });
  await admin.value('mail.message/unlink', { ids: [deletedId] });
  await admin.value('mail.message/write', { ids: [loses], vals: { attachment_ids: [[5]] } });
  expect(await Promise.all(files.map(findReaders))).toEqual([[], [], [], []]);
  await post(ticket, [files[0]!], COMMENT);
  expect(await findReaders(files[0]!)).toEqual(ALL_WAYS);
});

test('shows an attachment when its note is published, and hides it when the note becomes internal', async () => {
  const file = await attach({});
  const note = await post(ticket, [file], { ...COMMENT });
  await admin.value('mail.message/write', { ids: [note], vals: { is_internal: true } });
  expect(await findReaders(file)).toEqual([]);
  await admin.value('mail.message/write', { ids: [note], vals: { is_internal: false } });
  expect(await findReaders(file)).toEqual(ALL_WAYS);
});
