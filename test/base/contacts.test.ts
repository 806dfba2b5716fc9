import { beforeAll, describe, expect, test } from 'vitest';
import { pickAddresses } from '../../schema/base/partners/partner-addresses.ts';
import { parseNameAndAddress } from '../../schema/base/partners/partner-name-create.ts';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);

const find = async (model: string, name: string, value: string): Promise<number> =>
  (
    await admin.value(`${model}/search`, { domain: [[name, '=', value]], context: { active_test: false } })
  )[0];

describe('res.partner', () => {
  test('names an address without a name after its type, but rejects a contact without one', async () => {
    const parent_id = await admin.create('res.partner', { name: 'Unnamed', is_company: true });
    const createNames = async (values: object, context = {}) => {
      const vals_list = [{ parent_id, ...values }];
      const ids = await admin.value('res.partner/create', { vals_list, context });
      return admin.read('res.partner', ids[0], ['name', 'complete_name']);
    };
    const invoice = { name: 'Invoice Address', complete_name: 'Unnamed, Invoice Address' };
    expect(await createNames({ type: 'invoice' })).toMatchObject(invoice);
    expect(await createNames({ type: 'invoice', name: false })).toMatchObject(invoice);
    expect(await createNames({ type: 'delivery', name: 'Dock' })).toMatchObject({ name: 'Dock' });
    for (const type of ['contact', false]) {
      const vals_list = [{ parent_id, type }];
      const { message } = await admin.expectRejection('res.partner/create', { vals_list });
      expect(message).toContain('(name)');
    }
  });

  test('includes its company in the display name and inherits the commercial fields', async () => {
    const company = await admin.create('res.partner', { name: 'Acme', company_type: 'company' });
    const ann = await admin.create('res.partner', { name: 'Ann', parent_id: company });
    const id = await admin.create('res.partner', { name: 'Desk', parent_id: ann });
    const fields = [
      'display_name',
      'is_company',
      'company_type',
      'commercial_partner_id',
      'commercial_company_name',
      'parent_name',
    ];
    expect(await admin.row('res.partner', company, fields)).toEqual({
      id: company,
      display_name: 'Acme',
      is_company: true,
      company_type: 'company',
      commercial_partner_id: [company, 'Acme'],
      commercial_company_name: 'Acme',
      parent_name: false,
    });
    expect(await admin.row('res.partner', id, fields)).toEqual({
      id,
      display_name: 'Acme, Desk',
      is_company: false,
      company_type: 'person',
      commercial_partner_id: [company, 'Acme'],
      commercial_company_name: 'Acme',
      parent_name: 'Ann',
    });
    await admin.value('res.partner/write', { ids: [company], vals: { name: 'Acme Ltd' } });
    expect((await admin.row('res.partner', id, ['display_name'])).display_name).toBe('Acme Ltd, Desk');
    await admin.value('res.partner/write', { ids: [ann], vals: { company_type: 'company' } });
    expect(await admin.row('res.partner', id, ['display_name', 'commercial_partner_id'])).toEqual({
      id,
      display_name: 'Ann, Desk',
      commercial_partner_id: [ann, 'Ann'],
    });
    await admin.expectError(422, 'res.partner/write', { ids: [company], vals: { parent_id: id } });
  });

  test('allows a company name without a company contact', async () => {
    const id = await admin.create('res.partner', { name: 'Bob', company_name: 'Bobs' });
    expect(await admin.row('res.partner', id, ['display_name', 'commercial_company_name'])).toEqual({
      id,
      display_name: 'Bobs, Bob',
      commercial_company_name: 'Bobs',
    });
  });

  test('formats addresses by country, and email addresses with the name', async () => {
    const us = await find('res.country', 'code', 'US');
    const ca = (
      await admin.value('res.country.state/search', {
        domain: [
          ['code', '=', 'CA'],
          ['country_id', '=', us],
        ],
      })
    )[0];
    const id = await admin.create('res.partner', {
      name: 'A "B" C',
      email: 'a@b.c',
      is_company: true,
      street: '77 Santa Barbara Rd',
      city: 'Pleasant Hill',
      zip: '94523',
      state_id: ca,
      country_id: us,
    });
    expect(
      await admin.row('res.partner', id, [
        'contact_address',
        'email_formatted',
        'country_code',
        'partner_share',
      ]),
    ).toEqual({
      id,
      contact_address: 'A "B" C\n77 Santa Barbara Rd\n\nPleasant Hill CA 94523\nUnited States',
      email_formatted: '"A \\"B\\" C" <a@b.c>',
      country_code: 'US',
      partner_share: true,
    });
    expect(await admin.value('res.partner/search', { domain: [['country_code', '=', 'US']] })).toEqual([id]);
    const ownUser = await admin.row('res.users', app.main.admin.id, ['partner_id']);
    expect(
      await admin.row('res.partner', ownUser.partner_id[0], ['partner_share', 'email_formatted']),
    ).toEqual({
      id: ownUser.partner_id[0],
      partner_share: false,
      email_formatted: false,
    });
  });

  test('lists only active child contacts, even in a context that includes archived records', async () => {
    const company = await admin.create('res.partner', { name: 'Two desks' });
    const [used, archived] = await admin.value('res.partner/create', {
      vals_list: [
        { name: 'Used desk', parent_id: company },
        { name: 'Gone desk', parent_id: company, active: false },
      ],
    });
    const context = { active_test: false };
    const readCall = { ids: [company], fields: ['child_ids'], context };
    expect(await admin.value('res.partner/read', readCall)).toEqual([{ id: company, child_ids: [used] }]);
    const searchPartner = (condition: unknown[]) =>
      admin.value('res.partner/search', { domain: [['id', '=', company], condition], context });
    expect(await searchPartner(['child_ids.name', '=', 'Used desk'])).toEqual([company]);
    expect(await searchPartner(['child_ids.name', '=', 'Gone desk'])).toEqual([]);
    expect(await searchPartner(['child_ids.active', '=', false])).toEqual([]);
    await admin.value('res.partner/write', { ids: [used], vals: { active: false } });
    expect(await searchPartner(['child_ids', '=', false])).toEqual([company]);
    expect(await searchPartner(['child_ids', 'in', [archived]])).toEqual([]);
    const { child_ids: info } = await admin.value('res.partner/fields_get', { allfields: ['child_ids'] });
    expect(info.domain).toEqual([['active', '=', true]]);
  });

  test('finds contacts by name, email, reference and tax id', async () => {
    const id = await admin.create('res.partner', {
      name: 'Found',
      email: 'look@here.example',
      ref: 'REF-7',
      vat: 'BE0477472701',
    });
    for (const name of ['foun', 'look@here', 'REF-7', 'BE0477472701'])
      expect(await admin.value('res.partner/name_search', { name }), name).toEqual([[id, 'Found']]);
  });

  test("rejects archiving an active user's contact", async () => {
    const { partner_id: partner } = await admin.row('res.users', app.main.user.id, ['partner_id']);
    await admin.expectError(422, 'res.partner/write', { ids: [partner[0]], vals: { active: false } });
  });

  test("searches child contacts before the company's contacts in address_get", async () => {
    const company = await admin.create('res.partner', { name: 'Shop', is_company: true });
    const bill = await admin.create('res.partner', { name: 'Bill', type: 'invoice', parent_id: company });
    const clerk = await admin.create('res.partner', { name: 'Clerk', parent_id: company });
    expect(
      await admin.value('res.partner/address_get', { ids: [clerk], adr_pref: ['invoice', 'delivery'] }),
    ).toEqual({
      invoice: bill,
      delivery: clerk,
      contact: clerk,
    });
    await admin.expectError(404, 'res.partner/address_get', { ids: [2_000_000], adr_pref: ['invoice'] });
  });

  test.each([
    ['Ann Lee <ann@example.com>', { name: 'Ann Lee', email: 'ann@example.com' }],
    ['"Lee, Ann" <ann@example.com>', { name: 'Lee, Ann', email: 'ann@example.com' }],
    ['<ann@example.com>', { name: 'ann@example.com', email: 'ann@example.com' }],
    ['ann@example.com', { name: 'ann@example.com', email: 'ann@example.com' }],
    ['Ann <at home>', { name: 'Ann <at home>' }],
  ])('parses %s in name_create', (text, expected) => {
    expect(parseNameAndAddress(text)).toEqual(expected);
  });

  test('lowercases an email address and rejects an unknown time zone', async () => {
    const [id, name] = await admin.value('res.partner/name_create', { name: 'Nora <Nora@Example.COM>' });
    expect(name).toBe('Nora');
    expect((await admin.row('res.partner', id, ['email_normalized'])).email_normalized).toBe(
      'nora@example.com',
    );
    await admin.expectError(422, 'res.partner/write', { ids: [id], vals: { tz: 'Mars/Phobos' } });
    await admin.value('res.partner/write', { ids: [id], vals: { tz: 'Europe/Brussels' } });
  });

  test('resolves addresses despite a cycle in the hierarchy', () => {
    const loop = [
      { id: 1, type: 'contact', parent_id: 2, is_company: false },
      { id: 2, type: 'other', parent_id: 1, is_company: false },
    ];
    expect(pickAddresses(loop, 1, ['invoice'])).toEqual({ invoice: 1, contact: 1 });
  });
});

test('displays a tag with its parents and rejects a cycle', async () => {
  const parent = await admin.create('res.partner.category', { name: 'Parent' });
  const child = await admin.create('res.partner.category', { name: 'Child', parent_id: parent });
  expect(await admin.value('res.partner.category/name_search', { name: 'child' })).toEqual([
    [child, 'Parent / Child'],
  ]);
  await admin.expectError(422, 'res.partner.category/write', { ids: [parent], vals: { parent_id: child } });
});

test('creates a company with a contact, its address and a currency', async () => {
  const ch = await find('res.country', 'code', 'CH');
  const id = await admin.create('res.company', {
    name: 'Alpine',
    country_id: ch,
    city: 'Chur',
    email: 'a@alpine.example',
  });
  const row = await admin.row('res.company', id, [
    'city',
    'email',
    'country_id',
    'currency_id',
    'partner_id',
    'user_ids',
    'logo',
  ]);
  expect(row).toMatchObject({
    city: 'Chur',
    email: 'a@alpine.example',
    country_id: [ch, 'Switzerland'],
    logo: false,
    user_ids: [app.main.admin.id],
  });
  expect(row.currency_id[1]).toBe('CHF');
  await admin.value('res.company/write', { ids: [id], vals: { name: 'Alpine AG', city: 'Davos' } });
  expect(await admin.row('res.partner', row.partner_id[0], ['name', 'city', 'is_company'])).toEqual({
    id: row.partner_id[0],
    name: 'Alpine AG',
    city: 'Davos',
    is_company: true,
  });
  await admin.expectError(422, 'res.company/write', { ids: [id], vals: { parent_id: id } });
});

test("reports a currency's decimal places and current rate", async () => {
  const eur = await find('res.currency', 'name', 'EUR');
  const jpy = await find('res.currency', 'name', 'JPY');
  await admin.value('res.currency.rate/create', {
    vals_list: [
      { currency_id: jpy, name: '2020-01-01', rate: 120 },
      { currency_id: jpy, name: '2021-01-01', rate: 160 },
      { currency_id: jpy, name: '2999-01-01', rate: 999 },
    ],
  });
  expect(await admin.row('res.currency', jpy, ['rate', 'inverse_rate', 'decimal_places'])).toEqual({
    id: jpy,
    rate: 160,
    inverse_rate: 0.00625,
    decimal_places: 0,
  });
  expect(await admin.row('res.currency', eur, ['rate', 'decimal_places'])).toEqual({
    id: eur,
    rate: 1,
    decimal_places: 2,
  });
  await admin.expectError(422, 'res.currency/write', { ids: [eur], vals: { active: false } });
  await admin.expectError(422, 'res.currency.rate/create', {
    vals_list: [{ currency_id: jpy, name: '2022-01-01', rate: 0 }],
  });
});

test('accepts an activated language in the context immediately', async () => {
  const french = await find('res.lang', 'code', 'fr_FR');
  await admin.expectError(422, 'res.partner/search', { domain: [], context: { lang: 'fr_FR' } });
  await admin.value('res.lang/write', { ids: [french], vals: { active: true } });
  await admin.value('res.partner/search', { domain: [], context: { lang: 'fr_FR' } });
  await admin.expectError(422, 'res.lang/write', {
    ids: [await find('res.lang', 'code', 'en_US')],
    vals: { active: false },
  });
});

test("limits the number of parents in a tag's complete name", async () => {
  const { pathLevels } = limits.record;
  const names = Array.from({ length: pathLevels + 10 }, (_, level) => `level ${level}`);
  const loaded = await admin.value('res.partner.category/load', {
    fields: ['id', 'name', 'parent_id/id'],
    data: names.map((name, level) => [`deep_${level}`, name, level ? `deep_${level - 1}` : '']),
  });
  const completeName = async (level: number) =>
    (await admin.row('res.partner.category', loaded.ids[level], ['complete_name'])).complete_name;
  expect(await completeName(pathLevels - 1)).toBe(names.slice(0, pathLevels).join(' / '));
  expect(await completeName(pathLevels + 9)).toBe(names.slice(10).join(' / '));
});

test('deletes bank accounts with their contact', async () => {
  const bank = await admin.create('res.bank', { name: 'Bank of Ghent', bic: 'GHNTBEBB' });
  const accounts = [[0, 0, { acc_number: 'BE71 0961 2345 6769', bank_id: bank }]];
  const id = await admin.create('res.partner', { name: 'Payee', bank_ids: accounts });
  const { bank_ids } = await admin.row('res.partner', id, ['bank_ids']);
  expect(await admin.row('res.partner.bank', bank_ids[0], ['acc_number', 'partner_id', 'bank_id'])).toEqual({
    id: bank_ids[0],
    acc_number: 'BE71 0961 2345 6769',
    partner_id: [id, 'Payee'],
    bank_id: [bank, 'Bank of Ghent'],
  });
  await admin.value('res.partner/unlink', { ids: [id] });
  expect(await admin.value('res.partner.bank/search', { domain: [['id', 'in', bank_ids]] })).toEqual([]);
});

test("stores a contact's customer rank, supplier rank and credit limit", async () => {
  const id = await admin.create('res.partner', { name: 'Buyer', customer_rank: 1, credit_limit: 99.5 });
  const fields = ['customer_rank', 'supplier_rank', 'credit_limit'];
  expect(await admin.row('res.partner', id, fields)).toEqual({
    id,
    customer_rank: 1,
    supplier_rank: 0,
    credit_limit: 99.5,
  });
  const domain = [['customer_rank', '>', 0]];
  expect(await admin.value('res.partner/search', { domain })).toEqual([id]);
});

test('lets users read menus and reports, and lets administrators edit menus', async () => {
  const user = createJsonClient(app, app.main.user.key);
  const id = await admin.create('ir.ui.menu', { name: 'Partners', action: 'res.partner,1' });
  const rows = await user.value('ir.ui.menu/search_read', {
    domain: [],
    fields: ['name', 'parent_id', 'child_id'],
  });
  expect(rows).toEqual([{ id, name: 'Partners', parent_id: false, child_id: [] }]);
  await user.expectError(403, 'ir.ui.menu/create', { vals_list: [{ name: 'Mine' }] });
  expect(await user.value('ir.actions.report/search_read', { domain: [] })).toEqual([]);
  await admin.expectError(403, 'ir.actions.report/create', { vals_list: [{ name: 'Mine' }] });
});

test("uses a contact's image as its avatar, or else its initial", async () => {
  const decodeSvg = (text: string) => Buffer.from(text, 'base64').toString();
  const company = await admin.create('res.partner', { name: '<élan>' });
  const avatar = (await admin.row('res.partner', company, ['avatar_128'])).avatar_128;
  expect(decodeSvg(avatar)).toMatch(/^<svg [\s\S]*>É<\/text><\/svg>$/);
  const oddId = await admin.create('res.partner', { name: '<&>' });
  expect(decodeSvg((await admin.row('res.partner', oddId, ['avatar_1920'])).avatar_1920)).toContain(
    '>?</text>',
  );
  const picture = { name: 'Pictured', image_1920: 'iVBORw0KGgo=' };
  const picturedId = await admin.create('res.partner', picture);
  expect((await admin.row('res.partner', picturedId, ['avatar_256'])).avatar_256).toBe(picture.image_1920);
});

const ADDRESS = { street: 'S1', street2: 'S2', zip: '1000', city: 'Ghent', state_id: false, country_id: 20 };
const COMMERCIAL = { vat: 'BE0477472701', company_registry: 'R1', industry_id: 0 };

describe('a child contact', () => {
  const SHARED = [...Object.keys(ADDRESS), ...Object.keys(COMMERCIAL)];
  const createCompany = (values: object) =>
    admin.create('res.partner', { name: 'C', is_company: true, ...values });
  const createChild = (parent_id: number, values: object = {}) =>
    admin.create('res.partner', { name: 'K', parent_id, ...values });
  const readShared = (id: number) => admin.read('res.partner', id, SHARED);
  beforeAll(async () => {
    COMMERCIAL.industry_id = await admin.create('res.partner.industry', { name: 'Trade' });
  });
  const NO_ADDRESS = Object.fromEntries(Object.keys(ADDRESS).map((name) => [name, false]));
  const NONE = Object.fromEntries(Object.keys(COMMERCIAL).map((name) => [name, false]));

  test.each<[string, object, object]>([
    ['contact', {}, { ...ADDRESS, ...COMMERCIAL }],
    ['contact with a separate address', { street: 'Own' }, { ...ADDRESS, ...COMMERCIAL }],
    ['invoice address', { type: 'invoice', street: 'Own' }, { ...NO_ADDRESS, street: 'Own', ...COMMERCIAL }],
    ['delivery address', { type: 'delivery' }, { ...NO_ADDRESS, ...COMMERCIAL }],
    ['other address', { type: 'other' }, { ...NO_ADDRESS, ...COMMERCIAL }],
    ['company', { is_company: true, vat: 'X' }, { ...ADDRESS, ...NONE, vat: 'X' }],
  ])('inherits the shared fields as a new %s', async (_what, values, fields) => {
    const industry = 'industry_id' in fields &&
      fields.industry_id === 0 && { industry_id: COMMERCIAL.industry_id };
    const expected = { ...fields, ...industry };
    const parent = await createCompany({ ...ADDRESS, ...COMMERCIAL });
    expect(await readShared(await createChild(parent, values))).toMatchObject(expected);
    const child_ids = [[0, 0, { name: 'K', ...values }]];
    const otherId = await createCompany({ ...ADDRESS, ...COMMERCIAL, child_ids });
    const { child_ids: childIds } = await admin.read('res.partner', otherId, ['child_ids']);
    expect(await readShared(childIds[0])).toMatchObject(expected);
  });

  test('inherits shared values from a new parent, and keeps its own if the parent has none', async () => {
    const [full, empty] = [await createCompany({ ...ADDRESS, ...COMMERCIAL }), await createCompany({})];
    const kid = await admin.create('res.partner', { name: 'K', street: 'Own' });
    await admin.value('res.partner/write', { ids: [kid], vals: { parent_id: full } });
    expect(await readShared(kid)).toMatchObject({ ...ADDRESS, ...COMMERCIAL });
    await admin.value('res.partner/write', { ids: [kid], vals: { parent_id: empty } });
    expect(await readShared(kid)).toMatchObject({ ...ADDRESS, ...COMMERCIAL });
    expect(await readShared(empty)).toMatchObject({ ...ADDRESS, ...NONE, vat: COMMERCIAL.vat });
    const dock = await createChild(full, { type: 'delivery' });
    await admin.value('res.partner/write', { ids: [dock], vals: { type: 'contact' } });
    expect(await readShared(dock)).toMatchObject(ADDRESS);
  });

  test.each<[string, object]>([
    ['a new parent', { parent_id: 0 }],
    ['no company anymore', { is_company: false }],
  ])('passes the fields of its new company on to its children if it has %s', async (_what, vals) => {
    const [first, second] = [await createCompany({ vat: 'V1' }), await createCompany(COMMERCIAL)];
    const isCompany = 'is_company' in vals;
    const moved = await createChild(isCompany ? second : first, { is_company: isCompany, vat: 'V1' });
    const child = await createChild(moved);
    const deep = await createChild(child, { type: 'invoice' });
    const branch = await createChild(child, { is_company: true, vat: 'B' });
    const values = isCompany ? vals : { parent_id: second };
    await admin.value('res.partner/write', { ids: [moved], vals: values });
    for (const id of [moved, child, deep]) expect(await readShared(id)).toMatchObject(COMMERCIAL);
    expect(await readShared(branch)).toMatchObject({ vat: 'B', company_registry: false });
  });

  test('keeps shared fields in sync between parents and children in both directions', async () => {
    const top = await createCompany({ ...ADDRESS, ...COMMERCIAL });
    const [one, two] = [await createChild(top), await createChild(top)];
    const [deep, dock] = [
      await createChild(one),
      await createChild(top, { type: 'delivery', street: 'Dock' }),
    ];
    const branch = await createChild(top, { is_company: true, vat: 'B' });
    const readAll = async (name: string) =>
      Promise.all([top, one, two, deep, dock, branch].map(async (id) => (await readShared(id))[name]));
    await admin.value('res.partner/write', { ids: [top], vals: { street: 'New', vat: 'V2' } });
    expect(await readAll('street')).toEqual(['New', 'New', 'New', 'New', 'Dock', 'New']);
    expect(await readAll('vat')).toEqual(['V2', 'V2', 'V2', 'V2', 'V2', 'B']);
    await admin.value('res.partner/write', { ids: [deep], vals: { city: 'Bruges', vat: 'V3' } });
    expect(await readAll('city')).toEqual(['Bruges', 'Bruges', 'Bruges', 'Bruges', false, 'Bruges']);
    expect(await readAll('vat')).toEqual(['V3', 'V3', 'V3', 'V3', 'V3', 'B']);
    await admin.value('res.partner/write', { ids: [dock], vals: { street: 'Quay' } });
    expect(await readAll('street')).toEqual(['New', 'New', 'New', 'New', 'Quay', 'New']);
    await app.main.ctx.db.rows(
      sql`update res_partner set write_date = '2026-01-01' where workspace_id = ${app.main.ctx.workspace.id} and id = any(${[one, dock]})`,
    );
    await admin.value('res.partner/write', { ids: [top], vals: { company_registry: 'R2' } });
    const since = [
      ['write_date', '>', '2026-01-02'],
      ['id', 'in', [one, dock]],
    ];
    expect(await admin.value('res.partner/search', { domain: since, order: 'id' })).toEqual([one, dock]);
    expect(await readAll('company_registry')).toEqual(['R2', 'R2', 'R2', 'R2', 'R2', false]);
  });

  test('previews the shared values in a form', async () => {
    const parent = await createCompany({ ...ADDRESS, ...COMMERCIAL });
    const { value } = await admin.value('res.partner/onchange', {
      ...{
        ids: [],
        field_names: ['parent_id'],
        fields_spec: Object.fromEntries(SHARED.map((name) => [name, {}])),
      },
      values: { name: 'K', parent_id: parent, street: '', city: false, vat: '' },
    });
    const { state_id: _unset, ...address } = ADDRESS;
    expect(value).toEqual({ ...address, ...COMMERCIAL });
  });

  test.each<[object, object, object]>([
    [{ city: 'Ghent' }, { street: 'Own', zip: '1' }, { city: 'Ghent', street: false, zip: false }],
    [{ city: 'Ghent' }, { street: 'Own', type: 'invoice' }, { street: 'Own', city: false }],
    [{}, { street: 'Own', vat: 'X' }, { street: 'Own', vat: 'X' }],
  ])('the form of a contact of a company with %j and %j shows what saving it stores', async (...cases) => {
    const [company, entered, expected] = cases;
    const parent_id = await createCompany(company);
    const values = { name: 'K', ...entered, parent_id };
    const fields_spec = Object.fromEntries(SHARED.map((name) => [name, {}]));
    const form = { ids: [], values, field_names: ['parent_id'], fields_spec };
    const { value } = await admin.value('res.partner/onchange', form);
    const id = await admin.create('res.partner', { ...values, ...value });
    const stored = await readShared(id);
    expect(stored).toMatchObject(expected);
    for (const name of SHARED)
      expect({ ...values, ...value }[name] || false, name).toEqual(stored[name] || false);
  });
});
