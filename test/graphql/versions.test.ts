import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createSharedMailbox } from '../mailbox/mailboxes.ts';

// Versions of settings that are not business records (test/records/versions.test.ts). They detect every change since a
// client read the setting, also within the same millisecond.

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let book: string;
let box: number;

const run = (document: string, variables: object = {}) => queryData(app, document, { variables });

/** Runs a mutation, which may use `$book` and `$box`, and returns the id of its result. */
async function create(field: string, selection = 'id'): Promise<string> {
  const types = [field.includes('$book') && '$book: ID!', field.includes('$box') && '$box: ID!'].filter(
    Boolean,
  );
  const document = `mutation ${types.length > 0 ? `(${types})` : ''} { made: ${field} { ${selection} } }`;
  return (await run(document, { book, box })).made[selection];
}

beforeAll(async () => {
  book = await create('contactBookCreate(book: { name: "Readers" })');
  box = (await createSharedMailbox(app.main.ctx, [app.main.admin.id, app.main.user.id])).id;
});

interface Editor {
  create?(): Promise<string>;
  /** Selects `version` and `value` of `$id`. */
  read: string;
  /** Saves `$value` if the setting still has `$version`. */
  save: string;
  type?: 'Int' | 'String!';
  toValue?(n: number): unknown;
}

const RULE =
  'conditions: [{ field: "subject", operator: "contains", value: "news" }], actions: [{ action: "star" }]';
const TEMPLATE = 'templateCreate(template: { name: "n", subject: "s", text: "t" })';
const PAGE = 'websitePageCreate(name: "Page")';
const VIEW_OF_PAGE = 'query ($id: ID!) { websitePage(id: $id) { view { id } } }';
let contacts = 0;

const EDITORS: Record<string, Editor> = {
  campaign: {
    create: () =>
      create(`campaignCreate(campaign: { name: "n", from: "a@main.test", subject: "s", contactBookId: $book,
        html: "<a href='{{usesend_unsubscribe_url}}'>leave</a>" })`),
    read: 'campaign(id: $id) { version value: subject }',
    save: 'campaignUpdate(id: $id, campaign: { subject: $value }, expectedVersion: $version) { id }',
  },
  'content of a template': {
    create: () => create(TEMPLATE),
    read: 'template(id: $id) { version value: subject }',
    save: 'templateUpdate(id: $id, template: { subject: $value }, expectedVersion: $version) { id }',
  },
  'name of a template': {
    create: () => create(TEMPLATE),
    read: 'template(id: $id) { version value: name }',
    save: 'templateUpdate(id: $id, template: { name: $value }, expectedVersion: $version) { id }',
  },
  'contact book': {
    create: () => create('contactBookCreate(book: { name: "n" })'),
    read: 'contactBook(id: $id) { version value: name }',
    save: 'contactBookUpdate(id: $id, book: { name: $value }, expectedVersion: $version) { id }',
  },
  contact: {
    create: () => create(`contactPut(bookId: $book, input: { email: "c${contacts++}@example.net" })`),
    read: 'contact(id: $id) { version value: firstName }',
    save: `contactUpdate(bookId: $book, id: $id, input: { firstName: $value }, expectedVersion: $version) { id }`,
  },
  webhook: {
    create: () => create('webhookCreate(url: "https://hooks.example.com/a")'),
    read: 'webhook(id: $id) { version value: description }',
    save: 'webhookUpdate(id: $id, description: $value, expectedVersion: $version) { id }',
  },
  'properties of a page': {
    create: () => create(PAGE),
    read: 'websitePage(id: $id) { version value: name }',
    save: 'websitePageUpdate(pageId: $id, name: $value, expectedVersion: $version) { id }',
  },
  'markup of a page': {
    create: () => create(PAGE),
    read: 'websitePageMarkup(pageId: $id) { version value: arch }',
    save: 'websiteMarkupSet(pageId: $id, arch: $value, expectedVersion: $version) { id }',
    type: 'String!',
    toValue: (n) => `<t t-call="website.layout"><p>${n}</p></t>`,
  },
  'markup of a view': {
    create: () => create(PAGE).then(async (id) => (await run(VIEW_OF_PAGE, { id })).websitePage.view.id),
    read: 'view(id: $id) { version value: arch }',
    save: 'websiteViewMarkupSet(viewId: $id, arch: $value, expectedVersion: $version) { id }',
    type: 'String!',
    toValue: (n) => `<t t-call="website.layout"><p>${n}</p></t>`,
  },
  'mailbox rule': {
    create: () => create(`mailRuleSave(accountId: $box, rule: { name: "n", ${RULE} })`, 'ruleId'),
    read: 'mailRule(id: $id) { version value: name }',
    save: `mailRuleSave(accountId: $box, rule: { id: $id, name: $value, version: $version, ${RULE} }) { ok }`,
  },
  'auto-reply': {
    read: 'mailAutoReply(accountId: $box) { version value: subject }',
    save: 'mailAutoReplySave(accountId: $box, data: { subject: $value }, expectedVersion: $version) { ok }',
  },
  signature: {
    read: 'mailbox(id: $box) { version value: signature }',
    save: 'mailSignatureSave(accountId: $box, signature: $value, expectedVersion: $version) { ok }',
    type: 'String!',
    toValue: (n) => `<p>${n}</p>`,
  },
  'rules for agents': {
    read: 'agentPolicy { version value: callsPerDay }',
    save: 'agentPolicySave(callsPerDay: $value, expectedVersion: $version) { version }',
    type: 'Int',
    toValue: (n) => n,
  },
};

describe.each(Object.entries(EDITORS))('%s', (_name, editor) => {
  const { read, save, type = 'String', toValue = (n) => `Value ${n}` } = editor;
  const declare = (types: Record<string, string>, field: string) =>
    Object.entries(types)
      .filter(([name]) => field.includes(name))
      .map(([name, ofName]) => `${name}: ${ofName}`)
      .join(', ');
  const IDS = { $id: 'ID!', $book: 'ID!', $box: 'ID!' };
  const load = async (id?: string) => {
    const types = declare(IDS, read);
    return Object.values(await run(`query ${types && `(${types})`} { ${read} }`, { id, book, box }))[0];
  };
  const saveAs = (id: string | undefined, n: number, version?: number) =>
    postGraphql(app, `mutation (${declare({ ...IDS, $value: type, $version: 'Int' }, save)}) { ${save} }`, {
      key: app.main.admin.key,
      variables: { id, book, box, value: toValue(n), version },
    });

  it('rejects a save that is based on an old version', async () => {
    const id = await editor.create?.();
    const { version } = await load(id);
    expect((await saveAs(id, 1, version)).errors).toEqual([]);
    const { errors } = await saveAs(id, 2, version);
    expect(errors[0]?.extensions).toMatchObject({ code: 'STALE', status: 409 });
    const saved = await load(id);
    expect(saved).toMatchObject({ value: toValue(1) });
    expect((await saveAs(id, 2, saved.version)).errors).toEqual([]);
    expect((await saveAs(id, 3)).errors).toEqual([]);
    expect(await load(id)).toMatchObject({ value: toValue(3) });
  });

  it('accepts exactly one of ten parallel saves that are based on the same version', async () => {
    const id = await editor.create?.();
    const { version } = await load(id);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => saveAs(id, n + 10, version)));
    const codes = answers.map(({ errors }) => errors[0]?.extensions.code ?? 'saved');
    expect(codes.toSorted()).toEqual([...Array(9).fill('STALE'), 'saved']);
    expect(await load(id)).toMatchObject({ value: toValue(codes.indexOf('saved') + 10) });
  });
});

it.each([
  ['markup', 'websiteMarkupSet(pageId: $id, arch: "<p>mine</p>", expectedVersion: $version) { id }', 0],
  ['properties', 'websitePageUpdate(pageId: $id, name: "Mine", expectedVersion: $version) { id }', 1],
])('accepts one of two parallel first changes to the %s of a shared page', async (part, save, version) => {
  const { websiteOutline } = await run('{ websiteOutline { pages { id url } } }');
  const { id } = websiteOutline.pages.find(({ url }: { url: string }) => url === '/contactus');
  const document = `mutation ($id: ID!, $version: Int) { saved: ${save} }`;
  const answers = await Promise.all(
    [1, 2].map(() => postGraphql(app, document, { key: app.main.admin.key, variables: { id, version } })),
  );
  const codes = answers.map(({ errors }) => errors[0]?.extensions.code ?? 'saved');
  expect(codes.toSorted(), part).toEqual(['STALE', 'saved']);
  const copy = answers.find(({ data }) => data?.saved)!.data.saved.id;
  await run('mutation ($id: ID!) { websitePageReset(pageId: $id) { id } }', { id: copy });
});

it('accepts one of two parallel first changes to a view that all websites share', async () => {
  const { views } = await run(
    '{ views(where: { key: { eq: "website.layout" } }) { nodes { id version arch } } }',
  );
  const [shared] = views.nodes;
  expect(shared.version).toBe(0);
  const document = `mutation ($id: ID!, $arch: String!, $version: Int) {
    saved: websiteViewMarkupSet(viewId: $id, arch: $arch, expectedVersion: $version) { id version }
  }`;
  const saveAs = (text: string, version: number) =>
    postGraphql(app, document, {
      key: app.main.admin.key,
      variables: { id: shared.id, arch: shared.arch.replace('</body>', `<p>${text}</p></body>`), version },
    });
  const answers = await Promise.all(['One', 'Two'].map((text) => saveAs(text, shared.version)));
  const codes = answers.map(({ errors }) => errors[0]?.extensions.code ?? 'saved');
  expect(codes.toSorted()).toEqual(['STALE', 'saved']);
  const { saved } = answers.find(({ data }) => data?.saved)!.data;
  expect(saved.id).not.toBe(shared.id);
  expect((await saveAs('Three', shared.version)).errors[0]?.extensions).toMatchObject({ code: 'STALE' });
  expect((await saveAs('Four', saved.version)).errors).toEqual([]);
});

it.each([
  ['svc.contact.book', 'contactBookCreate(book: { name: "n" })', { name: 'Mine' }],
  ['svc.template', TEMPLATE, { name: 'Mine' }],
  ['svc.template', TEMPLATE, { subject: 'Mine' }],
  ['website.page', PAGE, { website_indexed: false }],
])('/json/2 rejects a write to %s that is based on an old version', async (model, mutation, vals) => {
  await create(mutation);
  const call = (method: string, body: object) => json2(app, `${model}/${method}`, body, app.main.admin.key);
  const last = await call('search_read', { fields: ['row_version'], order: 'id desc', limit: 1 });
  const [{ id, row_version }] = last.json();
  const write = () => call('write', { ids: [id], vals, context: { expected_version: row_version } });
  expect((await write()).status).toBe(200);
  expect((await write()).status).toBe(409);
});
