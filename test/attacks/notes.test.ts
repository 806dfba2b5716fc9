import { beforeAll, expect, test } from 'vitest';
import { addMember } from '../apps/member.ts';
import { post, setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { runTool, switchMcp } from '../harness/facades/mcp.ts';
import { postJsonRpc } from '../harness/facades/rpc.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import { until } from '../harness/wait.ts';
import { subscribe } from '../live/listen.ts';
import { createDice, type Dice } from './dice.ts';

const SEED = Number(process.env.ATTACK_SEED ?? 26);
const TICKET = 'helpdesk.ticket';
const END = 'That is all.';

const app = setUpApp();
let customer: Awaited<ReturnType<typeof addMember>>;
beforeAll(async () => {
  await switchMcp(app, app.main, true);
  customer = await addMember(app, app.main, 'customer', ['base.group_portal']);
});

/** Writes random messages with a marker in each internal text. @returns all created ids */
async function talk(dice: Dice, secrets: string[], open: string[]) {
  const admin = createJsonClient(app);
  const { partner_id: partner } = await admin.read('res.users', customer.id, ['partner_id']);
  const buildWord = (list: string[]) => {
    const mark = dice.mark();
    list.push(mark);
    return mark;
  };
  const tickets: number[] = [];
  for (let index = 0; index < 4; index++)
    tickets.push(
      await admin.create(TICKET, { name: `T${index}`, ...(index % 2 === 0 && { partner_id: partner }) }),
    );
  const files: number[] = [];
  const messages: number[] = [];
  for (let index = 0; index < 12; index++) {
    const id = dice.pick(tickets);
    const isOwn = tickets.indexOf(id) % 2 === 0;
    const isNote = dice.below(4) > 0;
    const list = isOwn && !isNote ? open : secrets;
    const document = dice.once(2) ? { res_model: TICKET, res_id: id } : {};
    const file = await admin.create('ir.attachment', {
      name: buildWord(list),
      raw: buildWord(list),
      ...document,
    });
    files.push(file);
    const posted = {
      body: buildWord(list),
      subject: buildWord(list),
      attachment_ids: dice.once(3) ? [] : [file],
    };
    const subtype = isNote ? dice.pick(['mail.mt_note', 'mail.mt_activities']) : 'mail.mt_comment';
    const parent = isNote && messages.length > 0 ? { parent_id: dice.pick(messages) } : {};
    // Without a message, the file belongs to the record itself and is not internal.
    if (posted.attachment_ids.length === 0) await admin.value('ir.attachment/unlink', { ids: [file] });
    const [message] = await admin.value(`${TICKET}/message_post`, {
      ...{ ids: [id], ...posted, subtype_xmlid: subtype, ...parent },
      attachments: dice.once(2) ? [[buildWord(list), Buffer.from(buildWord(list)).toString('base64')]] : [],
    });
    if (isNote && dice.once(5)) await admin.value('mail.message/unlink', { ids: [message] });
    else messages.push(message);
    if (dice.once(3)) {
      const text = { summary: buildWord(secrets), note: buildWord(secrets) };
      const activity = await admin.create('mail.activity', { res_model: TICKET, res_id: id, ...text });
      if (dice.once(2))
        await admin.value('mail.activity/action_feedback', { ids: [activity], feedback: buildWord(secrets) });
    }
    // A reply to a note refers to it.
    if (isOwn && isNote && dice.once(3)) {
      const response = {
        ids: [id],
        body: buildWord(open),
        subtype_xmlid: 'mail.mt_comment',
        parent_id: messages.at(-1),
      };
      await admin.value(`${TICKET}/message_post`, response);
    }
  }
  const end = { ids: [tickets[0]], body: END, subtype_xmlid: 'mail.mt_comment' };
  await admin.value(`${TICKET}/message_post`, end);
  return { tickets, messages, files };
}

async function collectResponses(
  { tickets, messages, files }: Awaited<ReturnType<typeof talk>>,
  secrets: string[],
) {
  const { key, id: uid } = customer;
  const texts: [string, string][] = [];
  const headers = { authorization: `Bearer ${key}` };
  const readJson = async (path: string, body: object) =>
    texts.push([path, (await post(`${app.url}/json/2/${path}`, body, key)).text]);
  const last = Math.max(...files, ...messages) + 10;
  const all = Array.from({ length: last }, (_, index) => index + 1);
  const models = [TICKET, 'mail.message', 'ir.attachment', 'mail.activity', 'mail.followers', 'res.partner'];
  for (const model of models) {
    await readJson(`${model}/search_read`, { domain: [], limit: 500 });
    await readJson(`${model}/name_search`, { name: 'mk', limit: 100 });
    if (model.startsWith('mail.') || model === 'ir.attachment')
      await runInBatches(all, (id) => readJson(`${model}/read`, { ids: [id] }));
    const searchCall = [model, 'search_read', [[]], { limit: 500 }];
    const login = ['main', uid, key, ...searchCall];
    texts.push([`jsonrpc ${model}`, (await postJsonRpc(app, 'object', 'execute_kw', login)).text]);
    texts.push([`xmlrpc ${model}`, (await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', login)).text]);
    texts.push([`mcp ${model}`, JSON.stringify(await runTool(app, key, 'search', { model, limit: 50 }))]);
    texts.push([
      `mcp find ${model}`,
      JSON.stringify(await runTool(app, key, 'find', { query: 'mk', models: [model] })),
    ]);
  }
  for (const id of tickets) {
    await readJson(`${TICKET}/read`, {
      ids: [id],
      fields: ['message_ids', 'activity_ids', 'activity_summary'],
    });
    await readJson(`${TICKET}/formatted_read_group`, {
      ...{ domain: [['id', '=', id]], groupby: ['activity_summary'] },
      aggregates: ['__count'],
    });
  }
  await readJson('mail.message/search_read', {
    ...{ domain: [], fields: ['parent_id', 'child_ids', 'attachment_ids', 'subject', 'preview'] },
  });
  for (const secret of secrets.slice(0, 10))
    for (const [model, field] of [
      ['mail.message', 'body'],
      ['mail.message', 'parent_id.subject'],
      ['mail.message', 'child_ids.body'],
      ['mail.message', 'attachment_ids.name'],
      ['ir.attachment', 'name'],
      [TICKET, 'message_ids.body'],
      [TICKET, 'activity_summary'],
      [TICKET, 'activity_ids.note'],
    ]) {
      const answer = await post(
        `${app.url}/json/2/${model}/search`,
        { domain: [[field, 'like', secret]] },
        key,
      );
      // A match in a search also reveals the text.
      if (answer.status === 200 && answer.text !== '[]') texts.push([`${model} by ${field}`, secret]);
    }
  await runInBatches(all, async (id) => {
    for (const path of [`/web/content/${id}`, `/web/content/ir.attachment/${id}/raw`]) {
      const file = await fetch(`${app.url}${path}`, { headers });
      texts.push([path, `${file.headers.get('content-disposition')} ${await file.text()}`]);
    }
  });
  for (const query of GRAPHS) texts.push([query, (await post(`${app.url}/graphql`, { query }, key)).text]);
  return texts;
}

async function runInBatches(ids: readonly number[], run: (id: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < ids.length; start += 10)
    await Promise.all(ids.slice(start, start + 10).map(run));
}

const FILES = 'attachments(first: 50) { nodes { name datas raw } }';
const GRAPHS = [
  `{ messages(first: 100) { nodes { subject body preview displayName ${FILES} parent { subject body } } } }`,
  `{ messages(first: 100) { nodes { id children(first: 50) { nodes { subject body } } } } }`,
  `{ helpdeskTickets(first: 50) { nodes { messages(first: 50) { nodes { subject body ${FILES} } } } } }`,
  '{ helpdeskTickets(first: 50) { nodes { activitySummary activities(first: 9) { nodes { summary note } } } } }',
  '{ attachments(first: 100) { nodes { name datas raw } } }',
  '{ activities(first: 100) { nodes { summary note feedback } } }',
];

/** Returns true if the text contains the marker, in plain text or in base64 at any offset. */
function containsMark(text: string, mark: string): boolean {
  const encoded = [0, 1, 2].map((before) =>
    Buffer.from(`${'\0'.repeat(before)}${mark}`)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  );
  return [mark, ...encoded].some((item) => text.includes(item));
}

test(`hides internal notes from a customer with an account in every facade (ATTACK_SEED=${SEED})`, async () => {
  const { key } = customer;
  const live = [
    await subscribe(app.url, {
      key,
      query: 'subscription { messageChanged { kind id record { subject body } } }',
    }),
    await subscribe(app.url, {
      key,
      query: 'subscription { attachmentChanged { kind id record { name raw } } }',
    }),
    await subscribe(app.url, {
      ...{ key, query: 'subscription { helpdeskTicketChanged { kind record { activitySummary } } }' },
    }),
  ];
  const [secrets, open]: [string[], string[]] = [[], []];
  const wordsInTalk = await talk(createDice(SEED), secrets, open);
  const responses = await collectResponses(wordsInTalk, secrets);
  await until(() => JSON.stringify(live[0]!.events).includes(END), 'the last message is heard of');
  for (const item of live) responses.push(['live', JSON.stringify([item.events, item.errors])]);
  for (const item of live) item.close();
  const leakedSecrets = responses.flatMap(([where, text]) =>
    secrets.some((mark) => containsMark(text, mark)) ? where : [],
  );
  expect([...new Set(leakedSecrets)]).toEqual([]);
  // Proves that the search works: it finds public texts.
  const visibleWords = open.filter((mark) => responses.some(([, text]) => containsMark(text, mark)));
  expect(visibleWords.length).toBeGreaterThan(open.length / 2);
});
