import { beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { setUp } from '../harness/set-up.ts';
import { createSeededRandom } from '../rpc/seeded.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
let admin: { id: number };
beforeAll(async () => {
  admin = lab.app.main.admin;
  await makeLab(lab);
});

const createPartner = async (values = {}): Promise<number> =>
  (await lab.value('res.partner/create', { vals_list: { name: 'P', ...values } }))[0];
const readActive = async (id: number) =>
  (await lab.value('res.partner/read', { ids: [id], fields: ['active'] }))[0].active;

describe('archiving', () => {
  test('returns null from action_archive and action_unarchive', async () => {
    const id = await createPartner();
    expect(await lab.value('res.partner/action_archive', { ids: [id] })).toBeNull();
    expect(await readActive(id)).toBe(false);
    expect(await lab.value('res.partner/search', { domain: [['id', 'in', [id]]] })).toEqual([]);
    expect(await lab.value('res.partner/action_unarchive', { ids: [id] })).toBeNull();
    expect(await readActive(id)).toBe(true);
  });

  test('toggle_active inverts the active state of each record', async () => {
    const ids = [await createPartner(), await createPartner({ active: false })];
    expect(await lab.value('res.partner/toggle_active', { ids })).toBeNull();
    expect([await readActive(ids[0]!), await readActive(ids[1]!)]).toEqual([false, true]);
  });

  test('rejects a model without an active field, a deleted record and a caller without access', async () => {
    const [id] = await lab.value('x_lab/create', { vals_list: {} });
    const error = await lab.expectError('x_lab/action_archive', { ids: [id] });
    expect([error.status, error.message]).toEqual([422, expect.stringContaining("'active'")]);
    expect((await lab.expectError('res.partner/action_archive', { ids: [999999] })).status).toBe(404);
    const otherId = await createPartner();
    const { key } = lab.app.main.user;
    expect((await lab.expectError('res.partner/action_archive', { ids: [otherId] }, key)).status).toBe(403);
  });

  test('returns false instead of null over XML-RPC', async () => {
    const response = await createRpcClients(lab.app).execute('res.partner', 'action_archive', [
      [await createPartner()],
    ]);
    expect(response.fault).toBeUndefined();
    expect(response.value).toBe(false);
  });
});

describe('record metadata', () => {
  test('contains the users and times of the creation and the last change', async () => {
    const id = await createPartner();
    const [row] = await lab.value('res.partner/get_metadata', { ids: [id, 999999] });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(row).toEqual({
      id,
      create_uid: [admin.id, 'admin'],
      create_date: time,
      write_uid: [admin.id, 'admin'],
      write_date: time,
      xmlid: false,
      noupdate: false,
      xmlids: [],
    });
    expect(Object.keys(row)[0]).toBe('id');
  });

  test('contains an external id, or an empty string', async () => {
    const id = await createPartner();
    expect(await lab.value('res.partner/get_external_id', { ids: [id] })).toEqual({ [id]: '' });
  });

  test('limits the total size of context defaults across all new records', async () => {
    const { defaultBytes } = limits.record;
    const buildBody = (records: number, bytes: number) => ({
      vals_list: Array.from({ length: records }, () => ({ name: 'D' })),
      context: { default_function: 'x'.repeat(bytes), default_active: false },
    });
    const error = await lab.expectError(
      'res.partner/create',
      buildBody(40_000, Math.ceil(defaultBytes / 40_000)),
    );
    expect(error.status).toBe(422);
    expect(error.message).toMatch(new RegExp(`defaults .* add \\d+ bytes .* the maximum is ${defaultBytes}`));
    const search = { domain: [['name', '=', 'D']], context: { active_test: false } };
    expect(await lab.value('res.partner/search_count', search)).toBe(0);
    await lab.value('res.partner/create', buildBody(10, 1_000));
    expect(await lab.value('res.partner/search_count', search)).toBe(10);
  });

  test('default_get uses the context first, then the model, and ignores unknown fields', async () => {
    const body = { fields: ['name', 'active', 'nope', 'city'], context: { default_name: 'Zed' } };
    expect(await lab.value('res.partner/default_get', body)).toEqual({ name: 'Zed', active: true });
  });
});

describe('access check methods', () => {
  test.each<[string, object, string, unknown]>([
    ['has_access', { operation: 'write' }, 'admin', true],
    ['has_access', { operation: 'write' }, 'user', false],
    ['has_access', { operation: 'read' }, 'user', true],
    ['check_access_rights', { operation: 'write', raise_exception: false }, 'user', false],
    ['check_access_rights', { operation: 'read' }, 'user', null],
    ['check_field_access_rights', { operation: 'read', field_names: ['name'] }, 'user', ['name']],
  ])('return a result: %s with %j as %s returns %j', async (method, body, role, expected) => {
    const { key } = lab.app.main[role as 'admin' | 'user'];
    expect(await lab.value(`res.partner/${method}`, body, key)).toEqual(expected);
  });

  test('return null if check_access_rule succeeds', async () => {
    expect(
      await lab.value('res.partner/check_access_rule', { ids: [await createPartner()], operation: 'read' }),
    ).toBeNull();
  });

  test.each([
    ['check_access_rights', { operation: 'write' }, 403],
    ['has_access', { operation: 'fly' }, 422],
    ['check_field_access_rights', { operation: 'read', field_names: ['nope'] }, 422],
    ['exists', {}, 403],
    ['_read', {}, 403],
  ])('reject a call: %s with %j returns status %i', async (method, body, status) => {
    expect((await lab.expectError(`res.partner/${method}`, body, lab.app.main.user.key)).status).toBe(status);
  });
});

describe('onchange', () => {
  const call = (body: object) => lab.value('x_lab/onchange', { ids: [], values: {}, ...body });

  test('returns the initial values of a new record if no field has changed', async () => {
    const context = { default_x_char: 'begin' };
    const fields_spec = { x_char: {}, x_integer: {}, x_boolean: {}, x_tag_ids: {}, x_country_id: {} };
    expect(await call({ field_names: [], fields_spec, context })).toEqual({
      value: { x_char: 'begin', x_integer: 0, x_boolean: false, x_tag_ids: [], x_country_id: false },
    });
  });

  test('returns the values of fields related through a changed link', async () => {
    const [belgium] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
    const body = {
      values: { x_country_id: belgium },
      field_names: ['x_country_id'],
      fields_spec: { x_code: {}, x_char: {} },
    };
    expect(await call(body)).toEqual({ value: { x_code: 'BE' } });
  });

  test('fills in a lead from its customer without saving the lead', async () => {
    const id = await createPartner({ name: 'Customer', email: 'customer@example.com' });
    const before = await lab.value('crm.lead/search_count', { domain: [] });
    const { value } = await lab.value('crm.lead/onchange', {
      ids: [],
      values: { partner_id: id },
      field_names: ['partner_id'],
      fields_spec: { partner_id: {}, email_from: {}, name: {} },
    });
    expect(value).toMatchObject({ email_from: 'customer@example.com' });
    expect(value).not.toHaveProperty('partner_id');
    expect(await lab.value('crm.lead/search_count', { domain: [] })).toBe(before);
  });

  test('returns the default stage and probability of a new lead', async () => {
    const { value } = await lab.value('crm.lead/onchange', {
      ids: [],
      values: {},
      field_names: [],
      fields_spec: { stage_id: { fields: { display_name: {} } }, probability: {}, name: {} },
    });
    expect(value).toEqual({
      stage_id: { id: expect.any(Number), display_name: expect.any(String) },
      probability: expect.any(Number),
      name: false,
    });
  });

  test('requires write access and a single existing record', async () => {
    const body = { values: {}, field_names: [], fields_spec: { name: {} } };
    const { key } = lab.app.main.user;
    expect((await lab.expectError('res.partner/onchange', { ids: [], ...body }, key)).status).toBe(403);
    expect((await lab.expectError('res.partner/onchange', { ids: [999999], ...body })).status).toBe(404);
    expect((await lab.expectError('res.partner/onchange', { ids: [1, 2], ...body })).status).toBe(422);
  });

  test('ignores an unknown field', async () => {
    expect(await call({ values: { nope: 1 }, field_names: ['nope'], fields_spec: { x_char: {} } })).toEqual(
      {},
    );
  });
});

type Json = ReturnType<typeof JSON.parse>;

/** Fields that change when a record is stored. */
const BY_STORING =
  /^(id|name|display_name|ticket_ref|assign_date|access_.*|(create|write)_.*|date_(order|open|closed|assign|end|last.*)|uid|recurrence_update)$|message|activity/;

describe('onchange preview', () => {
  let partner_id: number;
  let product_id: number;
  let parent_id: number;
  let task_id: number;
  let pricelist_id: number;
  beforeAll(async () => {
    const make = async (model: string, values: object): Promise<number> =>
      (await lab.value(`${model}/create`, { vals_list: [values] }))[0];
    const address = { street: 'S1', city: 'Ghent', email: 'acme@example.com', phone: '+3212345678' };
    parent_id = await make('res.partner', { name: 'Acme', is_company: true, vat: 'V', ...address });
    partner_id = await make('res.partner', {
      name: 'Ann',
      parent_id,
      function: 'Buyer',
      email: 'a@example.com',
    });
    const project_id = await make('project.project', { name: 'Moon', partner_id: parent_id });
    task_id = await make('project.task', { name: 'Whole', project_id });
    pricelist_id = await make('product.pricelist', { name: 'Rules', sequence: 99 });
    const tax = await make('account.tax', { name: '21%', amount: 21 });
    product_id = await make('product.product', {
      name: 'Chair',
      list_price: 19.99,
      taxes_id: [[6, 0, [tax]]],
    });
  });

  /** Expired, so that the rules do not change order prices. */
  const date_end = '2001-01-01 00:00:00';
  const buildLine = (id: string, values: object = {}) => [0, id, { product_id, ...values }];
  const FORMS: [string, string, () => Record<string, unknown>][] = [
    ['an order of a customer', 'sale.order', () => ({ partner_id })],
    [
      'an order with lines',
      'sale.order',
      () => ({
        partner_id,
        partner_invoice_id: false,
        order_line: [
          buildLine('v1', { product_uom_qty: 3 }),
          buildLine('v2', { discount: 10, price_unit: 7.35 }),
          [0, 'v3', { display_type: 'line_note', name: 'Soon' }],
        ],
      }),
    ],
    ['a lead of a customer', 'crm.lead', () => ({ name: 'Lead', partner_id, email_from: '', city: false })],
    ['a contact of a company', 'res.partner', () => ({ name: 'Bob', parent_id, street: '' })],
    ['a subtask', 'project.task', () => ({ name: 'Part', parent_id: task_id })],
    [
      'a pricelist rule with a markup',
      'product.pricelist.item',
      () => ({ pricelist_id, compute_price: 'formula', price_markup: 20, date_end }),
    ],
    [
      'a pricelist rule with a discount',
      'product.pricelist.item',
      () => ({ pricelist_id, compute_price: 'formula', price_discount: 20, date_end }),
    ],
    ['an event', 'calendar.event', () => ({ name: 'Call', start: '2026-03-01 10:00:00', duration: 2.5 })],
    ['a whole day', 'calendar.event', () => ({ name: 'Fair', start_date: '2026-03-01', allday: true })],
  ];

  test.each(FORMS)('matches the stored record for %s', (_what, model, form) =>
    expectPreviewAsStored(model, form()),
  );

  const random = createSeededRandom(20_261_127);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

  /** Models with their required form values, and the choices for optional values. */
  const CHOICES: [string, () => object, () => Record<string, unknown[]>][] = [
    [
      'sale.order',
      () => ({ partner_id }),
      () => ({
        pricelist_id: [pricelist_id],
        validity_date: ['2031-01-01'],
        client_order_ref: ['R1', ''],
        note: ['<p>Hi</p>'],
        order_line: [
          [buildLine('v1', { product_uom_qty: pick([0, 1, 2.5, 1000]) })],
          [
            buildLine('v1', { discount: pick([0, 12.5, 100]) }),
            buildLine('v2', { price_unit: pick([0, 0.005, 7.35]) }),
          ],
        ],
      }),
    ],
    [
      'crm.lead',
      () => ({ name: 'Lead' }),
      () => ({
        partner_id: [partner_id, parent_id],
        type: ['lead', 'opportunity'],
        expected_revenue: [0, 10, 99.5],
        probability: [0, 12.5, 100],
        phone: ['+3211111111', ''],
        city: ['Bruges'],
        priority: ['0', '3'],
        date_deadline: ['2031-01-31'],
      }),
    ],
    [
      'res.partner',
      () => ({ name: 'Random' }),
      () => ({
        parent_id: [parent_id, partner_id],
        is_company: [true, false],
        type: ['contact', 'invoice', 'delivery', 'other'],
        street: ['Own 1'],
        vat: ['OWN'],
        email: ['own@example.com', 'Not an address'],
        company_registry: ['REG'],
      }),
    ],
    [
      'project.task',
      () => ({ name: 'Task' }),
      () => ({
        parent_id: [task_id],
        partner_id: [partner_id],
        state: ['01_in_progress', '1_done'],
        priority: ['0', '1'],
        date_deadline: ['2031-01-31 10:00:00'],
        allocated_hours: [0, 1.5],
      }),
    ],
    [
      'helpdesk.ticket',
      () => ({ name: 'Ticket' }),
      () => ({
        partner_id: [partner_id, parent_id],
        partner_email: ['own@example.com', ''],
        partner_name: ['Own', false],
        partner_phone: ['', false],
        priority: ['0', '2'],
      }),
    ],
    [
      'product.pricelist.item',
      () => ({ pricelist_id, date_end }),
      () => ({
        compute_price: ['fixed', 'formula', 'percentage'],
        base: ['list_price', 'standard_price'],
        price_discount: [10, -5],
        min_quantity: [0, 5],
        price_surcharge: [1.25],
        applied_on: ['3_global'],
      }),
    ],
    [
      'calendar.event',
      () => ({ name: 'Event', start: '2031-03-01 10:00:00' }),
      () => ({
        duration: [0.5, 2.25, 30],
        allday: [true, false],
        privacy: ['private'],
        location: ['Ghent'],
        show_as: ['free', 'busy'],
      }),
    ],
  ];

  test.each(CHOICES)(
    'matches the stored record for random values of %s',
    async (model, required, choices) => {
      for (let i = 0; i < 6; i++) {
        const chosen = Object.entries(choices()).filter(() => random() < 0.5);
        await expectPreviewAsStored(model, {
          ...required(),
          ...Object.fromEntries(chosen.map(([name, values]) => [name, pick(values)])),
        });
      }
    },
  );

  async function expectPreviewAsStored(model: string, values: Record<string, unknown>): Promise<void> {
    const infos = await lab.value(`${model}/fields_get`, { attributes: ['type', 'readonly', 'relation'] });
    const names = Object.keys(infos).filter(
      (name) => !BY_STORING.test(name) && !['one2many', 'binary', 'reference'].includes(infos[name].type),
    );
    const lines = {
      fields: { price_unit: {}, price_subtotal: {}, price_tax: {}, price_total: {}, name: {} },
    };
    const lists = model === 'sale.order' ? { order_line: lines } : {};
    const fields_spec = { ...Object.fromEntries(names.map((name) => [name, {}])), ...lists };
    const before = await lab.value(`${model}/search_count`, { domain: [] });
    const entered = Object.fromEntries(
      Object.entries(values).filter(([, values]) => values !== '' && values !== false),
    );
    const body = { ids: [], values, field_names: Object.keys(entered), fields_spec };
    const { value } = await lab.value(`${model}/onchange`, body);
    expect(await lab.value(`${model}/search_count`, { domain: [] })).toBe(before);
    const createStored = async (vals: Record<string, unknown>): Promise<Json> => {
      const [id] = await lab.value(`${model}/create`, { vals_list: [vals] });
      const [row] = await lab.value(`${model}/web_read`, { ids: [id], specification: fields_spec });
      // A preview has no id, so it cannot refer to itself.
      for (const name of names) if (infos[name].relation === model && row[name] === id) row[name] = false;
      return row;
    };
    const alone = await createStored(entered);
    for (const name of names) {
      const expected = name in value ? value[name] : (values[name] ?? false);
      const plain = infos[name].type === 'many2many' ? (expected ? expected[0][2] : []) : expected;
      const expectedIds =
        infos[name].type === 'many2many' ? [...alone[name]].sort((a, b) => a - b) : alone[name];
      expect(plain || 0, `${name} of ${JSON.stringify(values)}`).toEqual(expectedIds || 0);
    }
    if (model === 'sale.order' && values.order_line) {
      const lines = new Map(value.order_line.map(([, id, values]: [number, string, object]) => [id, values]));
      alone.order_line.forEach(({ id: _id, ...made }: Record<string, unknown>, index: number) => {
        const [, id, lineValues] = (values.order_line as [number, string, object][])[index]!;
        const expected = { price_subtotal: 0, price_tax: 0, price_total: 0, price_unit: 0, ...lineValues };
        expect({ ...expected, ...(lines.get(id) as object) }, id).toMatchObject(made);
      });
    }
    const changedEntries = Object.entries(value).filter(
      ([name]) => name in infos && !infos[name].readonly && !(name in lists),
    );
    const secondLoad = await createStored({ ...entered, ...Object.fromEntries(changedEntries) });
    for (const name of names) expect([name, secondLoad[name]]).toEqual([name, alone[name]]);
  }

  test('computes an order after lines are added, changed and removed, without saving it', async () => {
    const order_line = [
      buildLine(''),
      buildLine('', { product_uom_qty: 2 }),
      buildLine('', { product_uom_qty: 5 }),
    ];
    const [id] = await lab.value('sale.order/create', { vals_list: [{ partner_id, order_line }] });
    const [one, two, three] = await lab.value('sale.order.line/search', { domain: [['order_id', '=', id]] });
    const commands = [
      [1, one, { product_uom_qty: 10 }],
      [4, two],
      [2, three],
      [0, 'new', { product_id, product_uom_qty: 1 }],
    ];
    const lines = { fields: { price_unit: {}, price_subtotal: {} } };
    const readCall = { ids: [id], specification: { amount_untaxed: {}, order_line: {} } };
    const before = await lab.value('sale.order/web_read', readCall);
    const { value } = await lab.value('sale.order/onchange', {
      ...{ ids: [id], values: { order_line: commands }, field_names: ['order_line'] },
      fields_spec: { amount_untaxed: {}, client_order_ref: {}, order_line: lines },
    });
    expect(value).toEqual({
      amount_untaxed: 259.87,
      order_line: [
        [1, one, { price_unit: 19.99, price_subtotal: 199.9 }],
        [1, 'new', { price_unit: 19.99, price_subtotal: 19.99 }],
      ],
    });
    expect(await lab.value('sale.order/web_read', readCall)).toEqual(before);
    const removed = { discount: 100, tax_ids: [[5]] };
    const cleared = await lab.value('sale.order/onchange', {
      ...{ ids: [id], values: { order_line: [[1, one, removed]] }, field_names: ['order_line'] },
      fields_spec: {
        order_line: { fields: { price_subtotal: {}, price_tax: {}, discount: {}, tax_ids: {} } },
      },
    });
    expect(cleared.value).toEqual({ order_line: [[1, one, { price_subtotal: 0, price_tax: 0 }]] });
  });

  test.each([
    [{ rate: 4 }, { company_rate: 4, inverse_company_rate: 0.25 }],
    [{ company_rate: 4 }, { rate: 4, inverse_company_rate: 0.25 }],
    [{ inverse_company_rate: 0.25 }, { rate: 4, company_rate: 4 }],
  ])('updates the other rates when %j changes', async (change, expected) => {
    const context = { active_test: false };
    const [currency_id] = await lab.value('res.currency/search', { domain: [['name', '=', 'USD']], context });
    const rates = { rate: 1, company_rate: 1, inverse_company_rate: 1 };
    const { value } = await lab.value('res.currency.rate/onchange', {
      ids: [],
      values: { currency_id, name: '2026-01-01', ...rates, ...change },
      field_names: Object.keys(change),
      fields_spec: { rate: {}, company_rate: {}, inverse_company_rate: {} },
    });
    expect(value).toEqual(expected);
  });

  test.each([
    [{ duration: 3 }, { stop: '2026-03-01 13:00:00' }],
    [{ stop: '2026-03-01 10:30:00' }, { duration: 0.5 }],
    [{ start: '2026-03-02 09:00:00' }, { stop: '2026-03-02 11:00:00' }],
  ])('updates the other times of an event when %j changes', async (change, expected) => {
    const times = { start: '2026-03-01 10:00:00', stop: '2026-03-01 12:00:00', duration: 2 };
    const body = { field_names: Object.keys(change), fields_spec: { start: {}, stop: {}, duration: {} } };
    const [id] = await lab.value('calendar.event/create', { vals_list: [{ name: 'Call', ...times }] });
    for (const ids of [[], [id]]) {
      const values = { name: 'Call', ...times, ...change };
      expect((await lab.value('calendar.event/onchange', { ...body, ids, values })).value).toEqual(expected);
    }
  });

  test.each([
    [{ is_company: true, company_type: 'person' }, 'is_company', { company_type: 'company' }],
    [{ is_company: false, company_type: 'company' }, 'is_company', { company_type: 'person' }],
    [{ is_company: false, company_type: 'company' }, 'company_type', { is_company: true }],
    [{ is_company: true, company_type: 'person' }, 'company_type', { is_company: false }],
  ])('keeps %j equal after %s has changed', async (values, changed, expected) => {
    const fields_spec = { is_company: {}, company_type: {} };
    const form = { ids: [], values: { name: 'Both', ...values }, field_names: [changed], fields_spec };
    expect((await lab.value('res.partner/onchange', form)).value).toEqual(expected);
  });

  test("sets the country of a contact's new state, and clears a state of another country", async () => {
    const find = async (model: string, domain: unknown[]): Promise<number> =>
      (await lab.value(`${model}/search`, { domain }))[0];
    const usa = await find('res.country', [['code', '=', 'US']]);
    const belgium = await find('res.country', [['code', '=', 'BE']]);
    const texas = await find('res.country.state', [
      ['code', '=', 'TX'],
      ['country_id', '=', usa],
    ]);
    const fields_spec = { country_id: {}, state_id: {} };
    const call = async (ids: number[], values: object, changed: string) =>
      (await lab.value('res.partner/onchange', { ids, values, field_names: [changed], fields_spec })).value;
    const stored = { name: 'Texan', state_id: texas, country_id: usa };
    const [id] = await lab.value('res.partner/create', { vals_list: [stored] });
    for (const values of [{ name: 'Texan' }, { name: '' }]) {
      const moved = { ...values, state_id: texas, country_id: belgium };
      expect(await call([], moved, 'state_id')).toEqual({ country_id: usa });
      expect(await call([], moved, 'country_id')).toEqual({ state_id: false });
      expect(await call([], { ...values, state_id: texas }, 'state_id')).toEqual({ country_id: usa });
      expect(await call([], { ...moved, country_id: usa }, 'state_id')).toEqual({});
      expect(await call([], { ...moved, country_id: false }, 'country_id')).toEqual({});
    }
    expect(await call([id], { country_id: belgium }, 'country_id')).toEqual({ state_id: false });
    expect(await call([id], { country_id: usa }, 'country_id')).toEqual({});
  });

  test('fills in a ticket from its customer if the form sends empty fields', async () => {
    const customer = { name: 'Customer', email: 'customer@example.com', phone: '+3211111111' };
    const [partner] = await lab.value('res.partner/create', { vals_list: [customer] });
    const empty = { partner_name: false, partner_email: false, partner_phone: false };
    const form = {
      ...{ ids: [], values: { name: 'Form', partner_id: partner, ...empty }, field_names: ['partner_id'] },
      fields_spec: { partner_name: {}, partner_email: {}, partner_phone: {} },
    };
    expect((await lab.value('helpdesk.ticket/onchange', form)).value).toEqual({
      ...{ partner_name: customer.name, partner_email: customer.email, partner_phone: customer.phone },
    });
  });

  test('keeps an entered email address if the selected customer has none', async () => {
    const [bare] = await lab.value('res.partner/create', { vals_list: [{ name: 'Bare' }] });
    const call = async (customer: number) =>
      (
        await lab.value('crm.lead/onchange', {
          ...{ ids: [], values: { name: 'Lead', partner_id: customer, email_from: 'typed@example.com' } },
          ...{ field_names: ['partner_id'], fields_spec: { email_from: {} } },
        })
      ).value;
    expect(await call(bare)).toEqual({});
    expect(await call(partner_id)).toEqual({ email_from: 'a@example.com' });
  });

  test('keeps fields empty that the user has emptied', async () => {
    const user_id = lab.app.main.admin.id;
    const emptied = { partner_id, user_id, pricelist_id: false, team_id: false, origin: 'Fair' };
    const fields_spec = { pricelist_id: {}, team_id: {} };
    const preview = async (changed: string[]) =>
      (
        await lab.value('sale.order/onchange', {
          ...{ ids: [], values: emptied, field_names: changed, fields_spec },
        })
      ).value;
    expect(await preview(['origin'])).toEqual({});
    expect(await preview(['partner_id'])).toEqual({ pricelist_id });
    expect(await preview(['user_id'])).toEqual({ team_id: expect.any(Number) });
    const form = {
      ids: [],
      values: { name: 'Lead', partner_id, email_from: '' },
      fields_spec: { email_from: {} },
    };
    const { value } = await lab.value('crm.lead/onchange', { ...form, field_names: ['name'] });
    expect(value).toEqual({});
  });

  test('computes the values that the model would set for an incomplete record', async () => {
    const { value } = await lab.value('sale.order/onchange', {
      ...{ ids: [], values: { user_id: lab.app.main.admin.id }, field_names: ['user_id'] },
      fields_spec: { team_id: {} },
    });
    expect(value).toEqual({ team_id: expect.any(Number) });
  });
});
