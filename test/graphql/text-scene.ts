import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { createCtx } from '../../src/engine/ctx/ctx.ts';
import { makeLab, openRecordLab, type RecordLab } from '../records/lab.ts';
import { createScene } from '../rights/scene.ts';

/** A workspace with custom models, edge cases in its data, and users with partial access. */
export interface TextScene {
  lab: RecordLab;
  /** Creates a separate ctx for each operation. */
  people: Record<string, () => Ctx>;
}

const NAMES = [
  'Ann',
  'Näme "quoted" \\',
  '日本 \u2028 😀',
  "O'Neil\n\ttab",
  '',
  'secret',
  'NaN',
  '"\\u0000"',
];
const pickAt = <T>(items: readonly T[], n: number): T => items[n % items.length]!;

export async function openTextScene(): Promise<TextScene> {
  const lab = await openRecordLab();
  const { app } = lab;
  const scene = createScene(app);
  await makeLab(lab);
  const partnerModel = await scene.modelId('res.partner');
  for (const [name, ttype] of [
    ['x_hint', 'char'],
    ['x_score', 'integer'],
  ])
    await lab.value('ir.model.fields/create', {
      vals_list: {
        model_id: partnerModel,
        name,
        ttype,
        state: 'manual',
        translate: name === 'x_hint' ? 'standard' : false,
      },
    });
  const [french] = await lab.value('res.lang/search', {
    domain: [['code', '=', 'fr_FR']],
    context: { active_test: false },
  });
  await lab.value('res.lang/write', { ids: [french], vals: { active: true } });
  await fillData(lab);
  const sam = await scene.addPerson('sam', [await scene.groupId('sales_team.group_sale_salesman')]);
  await scene.create('ir.rule', {
    name: 'no secrets',
    model_id: partnerModel,
    domain_force: "[('name', '!=', 'secret')]",
    groups: [[6, 0, [await scene.groupId('base.group_user')]]],
  });
  await corruptData(lab);
  const callers = await Promise.all(
    [app.main.admin.key, app.main.user.key, sam.key].map((key) => app.runtime.identity.byKey(key)),
  );
  // Adds a field group to custom fields, which no record of ir.model.fields can have.
  const { registry } = callers[0]!.workspace.catalog;
  for (const name of ['x_integer', 'x_country_id', 'x_char'])
    registry.get('x_lab')!.fields.get(name)!.groups = ['base.group_system'];
  registry.get('res.partner')!.fields.get('x_score')!.groups = ['base.group_system'];
  const buildCtx = (index: number, lang: string | null) => () => {
    const ctx = createCtx(app.runtime, {
      ...callers[index]!,
      workspace: callers[0]!.workspace,
      channel: 'graphql',
      requestId: 'text',
    });
    return lang ? ctx.with({ context: { ...ctx.context, lang } }) : ctx;
  };
  return {
    lab,
    people: {
      admin: buildCtx(0, null),
      user: buildCtx(1, null),
      salesperson: buildCtx(2, null),
      'the administrator in French': buildCtx(0, 'fr_FR'),
    },
  };
}

async function fillData({ value }: RecordLab): Promise<void> {
  const make = (model: string, vals_list: object[]): Promise<number[]> =>
    value(`${model}/create`, { vals_list });
  const createMany = (count: number, buildValues: (n: number) => object) =>
    Array.from({ length: count }, (_, n) => buildValues(n));
  const countries = await value('res.country/search', { domain: [], limit: 5 });
  const tags = await make(
    'res.partner.category',
    createMany(6, (n) => ({ name: `Tag ${n}`, active: n !== 4 })),
  );
  const companies = await make(
    'res.partner',
    createMany(8, (n) => ({
      name: pickAt(NAMES, n) || 'Ann',
      is_company: true,
      country_id: n % 2 ? pickAt(countries, n) : false,
      x_score: -n,
    })),
  );
  await make(
    'res.partner',
    createMany(30, (n) => ({
      name: pickAt(NAMES, n) || 'e',
      parent_id: n % 3 ? pickAt(companies, n) : false,
      email: n % 2 ? `p${n}@example.org` : false,
      active: n % 7 !== 0,
      category_id: [[6, 0, tags.slice(n % 6, (n % 6) + (n % 3))]],
      x_hint: n % 4 ? `hint ${n}` : false,
    })),
  );
  await value('res.partner/write', {
    ids: companies,
    vals: { x_hint: 'indice' },
    context: { lang: 'fr_FR' },
  });
  const crmTags = await make(
    'crm.tag',
    createMany(4, (n) => ({ name: `T${n}` })),
  );
  const stages = await value('crm.stage/search', { domain: [] });
  await value('crm.stage/write', {
    ids: stages.slice(0, 1),
    vals: { name: 'Nouveau' },
    context: { lang: 'fr_FR' },
  });
  await make(
    'crm.lead',
    createMany(30, (n) => ({
      name: pickAt(NAMES, n) || 'lead',
      type: n % 2 ? 'lead' : 'opportunity',
      partner_id: n % 3 ? pickAt(companies, n) : false,
      stage_id: n % 5 ? pickAt(stages, n) : false,
      expected_revenue: (n - 10) * 12.345,
      probability: n * 3,
      priority: String(n % 4),
      date_deadline: n % 3 ? '2026-01-31' : false,
      tag_ids: [[6, 0, crmTags.slice(0, n % 4)]],
      active: n % 6 !== 1,
    })),
  );
  const labs = await make(
    'x_lab',
    createMany(20, (n) => ({
      x_char: n % 3 ? pickAt(NAMES, n) : false,
      x_text: n % 4 ? 'some\ntext' : false,
      x_html: n % 2 ? '<p>Hi &amp; <b>bye</b></p>' : false,
      x_integer: n % 4 ? -n : false,
      x_float: n % 3 ? n * -0.1 : false,
      x_boolean: n % 2 === 0,
      x_date: n % 3 ? '2024-02-29' : false,
      x_datetime: n % 3 ? '2024-02-29 23:59:59' : false,
      x_json: n % 2 ? { a: [1, null, 'x'], b: { c: n } } : false,
      x_selection: pickAt(['a', 'b', false], n),
      x_country_id: n % 2 ? pickAt(countries, n) : false,
      x_tag_ids: [[6, 0, tags.slice(0, n % 4)]],
      x_ref: n % 2 ? `res.country,${pickAt(countries, n)}` : false,
      x_money: n * 1.005,
    })),
  );
  await make(
    'x_lab_line',
    createMany(40, (n) => ({ x_lab_id: n % 5 ? pickAt(labs, n) : false, x_qty: n / 3 })),
  );
}

/** Stores values that GraphQL cannot serialize, which every facade rejects. */
async function corruptData({ app }: RecordLab): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => app.runtime.db.rows(statement);
  await run(sql`update crm_lead set probability = 'NaN' where workspace_id = 1 and id = 9`);
  await run(sql`update crm_lead set probability = '-Infinity' where workspace_id = 1 and id = 17`);
  await run(sql`update crm_lead set probability = '-0' where workspace_id = 1 and id = 4`);
  await run(sql`update crm_lead set type = 'odd' where workspace_id = 1 and id = 21`);
  await run(
    sql`update ir_record set custom = custom || '{"x_selection": "odd"}' where workspace_id = 1 and custom ? 'x_selection' and id % 9 = 0`,
  );
}
