import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_STREAMED_RESPONSES } from '../../src/db/cursor.ts';
import { sql } from '../../src/db/sql.ts';
import { MAX_GROUPINGS } from '../../src/engine/read/group.ts';
import { MAX_SANITIZED_BYTES, MAX_SANITIZED_DEPTH } from '../../src/engine/value/sanitize-html.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { createScene, type Person } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let ann: Person;
/** A contact of a company that does not include Ann. */
let hidden: number;
let open: number;
let behind: number;
let before: number;

const queryRows = (text: string, ...params: unknown[]) =>
  app.main.ctx.db.rows<{ id: number }>(sql.given(text, [app.main.ctx.workspace.id, ...params]));

beforeAll(async () => {
  ann = await scene.addPerson('ann', [await scene.groupId('sales_team.group_sale_manager')]);
  const company = await scene.create('res.company', { name: 'Second' });
  hidden = await scene.create('res.partner', {
    name: 'Hidden',
    email: 'm@hidden.example',
    company_id: company,
  });
  open = await scene.create('res.partner', { name: 'Open', email: 'a@open.example' });
  [behind, before] = await ann.value('crm.lead/create', { vals_list: [{ name: 'A' }, { name: 'B' }] });
  await queryRows('update crm_lead set partner_id = $3 where workspace_id = $1 and id = $2', behind, hidden);
  await ann.value('crm.lead/write', { ids: [before], vals: { partner_id: open } });
});

describe('grouping by a path', () => {
  const buildLeads = () => ({ domain: [['id', 'in', [behind, before]]], aggregates: ['__count'] });

  test('treats hidden records as unset', async () => {
    const groups = await ann.value('crm.lead/formatted_read_group', {
      ...buildLeads(),
      groupby: ['partner_id.email'],
    });
    expect(groups.map((group: Record<string, unknown>) => group['partner_id.email'])).toEqual([
      'a@open.example',
      false,
    ]);
    const older = await ann.value('crm.lead/read_group', {
      domain: buildLeads().domain,
      fields: ['__count'],
      groupby: ['partner_id.email'],
      lazy: false,
    });
    expect(JSON.stringify(older)).toContain('open.example');
    expect(JSON.stringify(older)).not.toContain('hidden.example');
  });

  test('accepts at most eight steps', async () => {
    const buildPath = (steps: number) => [...Array(steps - 1).fill('parent_id'), 'name'].join('.');
    const call = (steps: number) => ({ domain: [], groupby: [buildPath(steps)], aggregates: [] });
    await ann.value('res.partner/formatted_read_group', call(8));
    const { message } = await ann.expectError(422, 'res.partner/formatted_read_group', call(9));
    expect(message).toContain('8 steps');
  });

  test('omits hidden records of a list', async () => {
    const secret = await scene.create('ir.attachment', { name: 'Salaries.pdf', raw: 'x' });
    const [message] = await scene.admin.value('res.partner/message_post', { ids: [open], body: 'see there' });
    await scene.admin.value('mail.message/write', {
      ids: [message],
      vals: { attachment_ids: [[4, secret]] },
    });
    await ann.expectError(403, 'ir.attachment/read', { ids: [secret], fields: ['name'] });
    const args = { domain: [['id', '=', message]], groupby: ['attachment_ids'], aggregates: ['__count'] };
    expect(await ann.value('mail.message/formatted_read_group', args)).toMatchObject([
      { attachment_ids: false, __count: 1 },
    ]);
    expect(await scene.admin.value('mail.message/formatted_read_group', args)).toMatchObject([
      { attachment_ids: [secret, 'Salaries.pdf'] },
    ]);
  });
});

describe('sorting by a path', () => {
  const readSorted = async (order: string) =>
    ann.value('crm.lead/search', { domain: [['id', 'in', [behind, before]]], order });

  test('reveals nothing about hidden records', async () => {
    for (const email of ['0@open.example', 'z@open.example']) {
      await scene.admin.value('res.partner/write', { ids: [open], vals: { email } });
      expect(await readSorted('partner_id.email')).toEqual([before, behind]);
      expect(await readSorted('partner_id.email desc')).toEqual([behind, before]);
    }
  });

  test('reveals nothing through the default order of hidden records', async () => {
    for (const name of ['Aaa', 'Zzz']) {
      await scene.admin.value('res.partner/write', { ids: [open], vals: { name } });
      expect(await readSorted('partner_id')).toEqual([before, behind]);
      expect(await readSorted('partner_id desc')).toEqual([behind, before]);
      const groups = await ann.value('crm.lead/formatted_read_group', {
        domain: [['id', 'in', [behind, before]]],
        groupby: ['partner_id'],
        aggregates: ['__count'],
      });
      expect(groups.map((group: { partner_id: [number] }) => group.partner_id[0])).toEqual([open, hidden]);
    }
    await scene.admin.value('res.partner/write', { ids: [open], vals: { name: 'Open' } });
    const args = { domain: [['id', 'in', [behind, before]]], order: 'partner_id' };
    expect(await scene.admin.value('crm.lead/search', args)).toEqual([behind, before]);
  });

  test('is rejected if the path ends at an inaccessible model', async () => {
    const group = await scene.addGroup('Outsiders');
    await scene.addModel('x_vault', [{ name: 'x_code', ttype: 'char' }], false);
    await scene.addModel('x_door', [{ name: 'x_vault_id', ttype: 'many2one', relation: 'x_vault' }], group);
    const bob = await scene.addPerson('bob', [group]);
    const [a, z] = [
      await scene.create('x_vault', { x_code: 'a' }),
      await scene.create('x_vault', { x_code: 'z' }),
    ];
    const facades = [
      await scene.create('x_door', { x_vault_id: z }),
      await scene.create('x_door', { x_vault_id: a }),
    ];
    expect(await bob.value('x_door/search', { domain: [], order: 'x_vault_id' })).toEqual(facades);
    const { message } = await bob.expectError(403, 'x_door/search', {
      domain: [],
      order: 'x_vault_id.x_code',
    });
    expect(message).toContain('x_vault');
  });

  test('accepts at most eight steps', async () => {
    const order = (steps: number) => [...Array(steps - 1).fill('parent_id'), 'name'].join('.');
    await ann.value('res.partner/search', { domain: [], order: order(8) });
    const { message } = await ann.expectError(422, 'res.partner/search', { domain: [], order: order(9) });
    expect(message).toContain('Invalid "order"');
  });
});

test('compares a many2one only with the names of readable records', async () => {
  await queryRows(
    'update res_partner set parent_id = $3 where workspace_id = $1 and id = (select partner_id from res_users where workspace_id = $1 and id = $2)',
    ann.id,
    hidden,
  );
  const call = (operator: string, value: unknown) =>
    ann.value('res.users/search', {
      domain: [
        ['id', '=', ann.id],
        ['parent_id', operator, value],
      ],
    });
  expect(await call('=ilike', 'm@hidden%')).toEqual([]);
  expect(await call('ilike', 'Hidden')).toEqual([]);
  expect(await call('in', ['Hidden'])).toEqual([]);
  expect(await call('not ilike', 'Hidden')).toEqual([ann.id]);
  // The user record, which contains the foreign key, is readable.
  expect(await call('=', hidden)).toEqual([ann.id]);
});

describe('a property with a link', () => {
  const buildDefinition = (overrides: object) => [{ name: 'p', type: 'many2one', string: 'P', ...overrides }];

  test('shows the name of a record only if it is readable', async () => {
    const lead_properties_definition = [
      ...buildDefinition({ comodel: 'res.partner' }),
      { name: 'q', type: 'many2many', string: 'Q', comodel: 'res.partner' },
    ];
    const team = await scene.create('crm.team', { name: 'Team', lead_properties_definition });
    const [lead] = await ann.value('crm.lead/create', {
      vals_list: [{ name: 'C', team_id: team, lead_properties: { p: open, q: [open] } }],
    });
    await queryRows(
      'update crm_lead set lead_properties = $3::jsonb where workspace_id = $1 and id = $2',
      lead,
      JSON.stringify({ p: hidden, q: [open, hidden] }),
    );
    const { lead_properties } = await ann.row('crm.lead', lead, ['lead_properties']);
    expect(lead_properties.map((property: { value: unknown }) => property.value)).toEqual([
      [hidden, ''],
      [
        [open, 'Open'],
        [hidden, ''],
      ],
    ]);
    const groups = await ann.value('crm.lead/formatted_read_group', {
      domain: [['id', '=', lead]],
      groupby: ['lead_properties.p'],
      aggregates: ['__count'],
    });
    expect(groups).toMatchObject([{ 'lead_properties.p': [hidden, ''] }]);
  });

  test('cannot link to a model that the user who defines the property may not read', async () => {
    await ann.expectError(403, 'ir.config_parameter/search', { domain: [] });
    const vals = {
      name: 'T',
      lead_properties_definition: buildDefinition({ comodel: 'ir.config_parameter' }),
    };
    const { message } = await ann.expectError(403, 'crm.team/create', { vals_list: [vals] });
    expect(message).toContain('ir.config_parameter');
    await scene.create('crm.team', vals);
  });
});

describe('HTML', () => {
  const writeDescription = async (description: string) => {
    const startTime = performance.now();
    const { message } = await ann.expectError(422, 'crm.lead/write', {
      ids: [before],
      vals: { description },
    });
    expect(performance.now() - startTime).toBeLessThan(15_000);
    return message;
  };

  test.each([
    ['open tags', '<b>'.repeat(200_000), 'tags'],
    ['levels', '<b>'.repeat(MAX_SANITIZED_DEPTH + 1), 'levels deep'],
    ['unclosed levels', '<b></i><!--</b>-->'.repeat(2_500), 'levels deep'],
    ['tags', '<b></b>'.repeat(60_000), 'tags'],
    ['bytes', 'x'.repeat(MAX_SANITIZED_BYTES + 1), 'bytes'],
  ])('is rejected with the field name if it has too many %s', async (_, html, limitName) => {
    const message = await writeDescription(html);
    expect(message).toContain('crm.lead.description');
    expect(message).toContain(limitName);
  });

  test('can be as large as a typical newsletter', async () => {
    const description = `<table>${'<tr><td><p>text<br>more</p></td></tr>'.repeat(5_000)}</table>`;
    await ann.value('crm.lead/write', { ids: [before], vals: { description } });
    const { description: storedDescription } = await ann.row('crm.lead', before, ['description']);
    expect(storedDescription.length).toBeGreaterThan(description.length);
  });
});

describe('grouped reads', () => {
  test('limit the number of groupings per response', async () => {
    const call = (count: number) => ({
      domain: [['id', '=', before]],
      grouping_sets: Array(count).fill(['name']),
      aggregates: ['__count'],
    });
    const groups = await ann.value('crm.lead/formatted_read_grouping_sets', call(MAX_GROUPINGS));
    expect(groups).toHaveLength(MAX_GROUPINGS);
    expect(groups[0]).toMatchObject([{ name: 'B', __count: 1 }]);
    await ann.expectError(422, 'crm.lead/formatted_read_grouping_sets', call(MAX_GROUPINGS + 1));
  });

  test('limit the number of groups per response, even if a higher limit is requested', async () => {
    await queryRows(
      `insert into res_partner (id, workspace_id, name, complete_name) select nextval('res_partner_id_seq'), $1, 'p' || i, 'p' || i from generate_series(1, $2::int) i`,
      limits.record.groups,
    );
    const call = (limit?: number) => ({
      domain: [],
      groupby: ['id', 'create_date:month'],
      aggregates: ['__count'],
      ...(limit && { limit }),
    });
    for (const limit of [undefined, limits.record.groups + 1]) {
      const { message } = await ann.expectError(422, 'res.partner/formatted_read_group', call(limit));
      expect(message).toContain(`more than ${limits.record.groups} groups`);
    }
    expect(await ann.value('res.partner/formatted_read_group', call(limits.record.groups))).toHaveLength(
      limits.record.groups,
    );
  });

  test("group by days in the caller's time zone, and ignore a time zone given as an offset", async () => {
    const id = await scene.create('res.partner', { name: 'Night' });
    await queryRows(
      `update res_partner set create_date = '2026-01-01 23:30:00' where workspace_id = $1 and id = $2`,
      id,
    );
    const createDay = async (tz: string) => {
      const args = {
        domain: [['id', '=', id]],
        groupby: ['create_date:day'],
        aggregates: [],
        context: { tz },
      };
      return (await ann.value('res.partner/formatted_read_group', args))[0]['create_date:day'];
    };
    expect(await createDay('Etc/GMT-2')).toEqual(['2026-01-01 22:00:00', '02 Jan 2026']);
    expect(await createDay('+02:00')).toEqual(await createDay('UTC'));
  });
});

test('releases the connection of a long response that fails at its first chunk', async () => {
  const lead_properties_definition = [
    { name: 'far', type: 'many2one', string: 'Far', comodel: 'res.partner' },
  ];
  const team = await scene.create('crm.team', { name: 'Far', lead_properties_definition });
  const lead = await scene.create('crm.lead', { name: 'Far', team_id: team });
  await queryRows(
    `update crm_lead set lead_properties = '{"far": 99999999999}' where workspace_id = $1 and id = $2`,
    lead,
  );
  const { pool } = app.runtime.db;
  const args = { domain: [['id', '=', lead]], fields: ['lead_properties'] };
  for (let i = 0; i < MAX_STREAMED_RESPONSES; i++)
    await scene.admin.expectError(422, 'crm.lead/search_read', args);
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
});
