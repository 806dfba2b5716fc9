import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { postJsonRpc } from '../harness/facades/rpc.ts';
import { createScene, type Person } from '../rights/scene.ts';

const app = setUpApp();
let german: Person;
let english: Person;
const scene = createScene(app);

beforeAll(async () => {
  const domain = [['code', 'in', ['de_DE', 'fr_FR']]];
  const ids = await scene.admin.value('res.lang/search', { domain, context: { active_test: false } });
  await scene.admin.value('res.lang/write', { ids, vals: { active: true } });
  const group = await scene.groupId('base.group_user');
  await scene.addModel('x_contact', [{ name: 'x_city', ttype: 'char', field_description: 'City' }], group);
  const [customModel] = await scene.admin.value('ir.model/search', { domain: [['model', '=', 'x_contact']] });
  await scene.admin.value('ir.model/write', { ids: [customModel], vals: { name: 'Contact' } });
  const sales = await scene.groupId('sales_team.group_sale_salesman');
  german = await scene.addPerson('greta', [sales], { lang: 'de_DE' });
  english = await scene.addPerson('emma', [sales]);
});

async function callRpc(person: Person, model: string, method: string, namedArgs: object) {
  const args = ['main', person.id, person.key, model, method, [], namedArgs];
  const { result, error } = (await postJsonRpc(app, 'object', 'execute_kw', args)).json();
  return error ? error.data.message : result;
}

const CITY = { allfields: ['city', 'type', 'state_id'], attributes: ['string', 'selection'] };
const readCityLabel = async (person: Person, context?: object) =>
  (await callRpc(person, 'res.partner', 'fields_get', { ...CITY, ...(context && { context }) })).city.string;

describe('labels in fields_get', () => {
  test("are in the context's language, or else the user's", async () => {
    expect(await readCityLabel(english)).toBe('City');
    expect(await readCityLabel(english, { lang: 'de_DE' })).toBe('Stadt');
    expect(await readCityLabel(german)).toBe('Stadt');
    expect(await readCityLabel(german, { lang: 'en_US' })).toBe('City');
    expect(await readCityLabel(english)).toBe('City');
  });

  test('are English if the language has no labels, and an inactive language is rejected', async () => {
    expect(await readCityLabel(german, { lang: 'fr_FR' })).toBe('City');
    const response = await callRpc(german, 'res.partner', 'fields_get', {
      ...CITY,
      context: { lang: 'es_ES' },
    });
    expect(response).toContain('Invalid language code: es_ES');
  });

  test('include options and help, and may differ by field for the same English text', async () => {
    const { type, state_id: state } = await callRpc(german, 'res.partner', 'fields_get', CITY);
    expect(type.string).toBe('Adresstyp');
    expect(type.selection).toContainEqual(['invoice', 'Rechnungsadresse']);
    expect(state.string).toBe('Bundesland');
    const fields = { allfields: ['state', 'validity_date', 'locked'] };
    const order = await callRpc(german, 'sale.order', 'fields_get', fields);
    expect(order.state.string).toBe('Status');
    expect(order.state.selection.slice(0, 3)).toEqual([
      ['draft', 'Angebot'],
      ['sent', 'Angebot gesendet'],
      ['sale', 'Verkaufsauftrag'],
    ]);
    const event = await callRpc(german, 'calendar.event', 'fields_get', { allfields: ['privacy'] });
    expect(event.privacy.string).toBe('Sichtbarkeit');
    expect(order.locked.help).toMatch(/^Gesperrte Aufträge können nicht storniert werden/);
  });

  test('exclude names of languages and time zones', async () => {
    const { lang, tz } = await callRpc(german, 'res.partner', 'fields_get', { allfields: ['lang', 'tz'] });
    expect(lang.selection).toContainEqual(['en_US', 'English (US)']);
    expect(tz.selection).toContainEqual(['Europe/Berlin', 'Europe/Berlin']);
  });

  test('use the labels set for custom models and fields', async () => {
    const fields = await callRpc(german, 'x_contact', 'fields_get', { allfields: ['x_city', 'create_date'] });
    expect([fields.x_city.string, fields.create_date.string]).toEqual(['City', 'Erstellt am']);
  });
});

test('translates view and model names', async () => {
  const { views, models } = await callRpc(german, 'res.partner', 'get_views', { views: [[false, 'form']] });
  expect(views.form.arch).toContain('<form string="Kontakt">');
  expect(models['res.partner'].fields.city.string).toBe('Stadt');
  const names = await callRpc(german, 'ir.model', 'display_name_for', { models: ['crm.stage', 'x_contact'] });
  expect(names).toEqual([
    { model: 'x_contact', display_name: 'Contact' },
    { model: 'crm.stage', display_name: 'CRM-Phase' },
  ]);
});

test.each(['en', 'de'])('gives each model a singular and a plural label: %s', async (lang) => {
  const { models } = await queryData(
    app,
    'query ($lang: String) { models(limit: 1000, lang: $lang) { model name pluralName } }',
    {
      variables: { lang },
    },
  );
  const named = Object.fromEntries(
    models.map(({ model, name, pluralName }: Record<string, string>) => [model, [name, pluralName]]),
  );
  const [stage, tag, unit] =
    lang === 'de'
      ? [
          ['CRM-Phase', 'CRM-Phasen'],
          ['Helpdesk-Stichwort', 'Helpdesk-Stichwörter'],
          ['Maßeinheit', 'Maßeinheiten'],
        ]
      : [
          ['CRM Stage', 'CRM Stages'],
          ['Helpdesk Tag', 'Helpdesk Tags'],
          ['Unit of Measure', 'Units of Measure'],
        ];
  expect(named).toMatchObject({ 'crm.stage': stage, 'helpdesk.tag': tag, 'uom.uom': unit });
  const unchanged = Object.entries(named).filter(
    ([model, [one, many]]) => !model.startsWith('x_') && one === many,
  );
  if (lang === 'en') expect(unchanged).toEqual([]);
});

test("exports option labels in the caller's language, and imports them in any language", async () => {
  const load = (type: string, lang: string) =>
    scene.admin.value('res.partner/load', {
      fields: ['name', 'type'],
      data: [['Anna', type]],
      context: { lang },
    });
  const loaded = [
    await load('Rechnungsadresse', 'de_DE'),
    await load('rechnungsadresse', 'en_US'),
    await load('Invoice Address', 'de_DE'),
  ];
  const ids = loaded.flatMap((item) => item.ids);
  const exportRequest = { ids, fields_to_export: ['name', 'type'] };
  const readTable = async (lang: string) =>
    (await scene.admin.value('res.partner/export_data', { ...exportRequest, context: { lang } })).datas;
  expect(await readTable('de_DE')).toEqual(ids.map(() => ['Anna', 'Rechnungsadresse']));
  expect(await readTable('en_US')).toEqual(ids.map(() => ['Anna', 'Invoice Address']));
  const { messages } = await load('Rechnung', 'de_DE');
  expect(messages[0].message).toContain('expected one of the choices');
});

describe('labels in GraphQL', () => {
  const runLabelQuery = (person: Person, query: string, variables: object = {}) =>
    queryData(app, query, { key: person.key, variables });
  const MODEL = `query ($lang: String) {
    modelDescribe(model: "crm.lead", lang: $lang) {
      label
      fields { name label help selection { value label graphqlName } }
    }
    models(filter: "crm.lead", lang: $lang) { name }
    apps(lang: $lang) { name label }
    palette(query: "Own", models: ["res.company"], lang: $lang) { records { modelLabel } }
  }`;

  async function loadLabels(person: Person, lang?: string) {
    const { modelDescribe, models, apps } = await runLabelQuery(person, MODEL, { lang });
    expect(models).toEqual([{ name: modelDescribe.label }]);
    // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the document
    const getField = (name: string) => modelDescribe.fields.find((field: any) => field.name === name);
    return [
      modelDescribe.label,
      getField('expected_revenue').label,
      getField('priority').selection[1].label,
      getField('medium_id').label,
      // biome-ignore lint/suspicious/noExplicitAny: as above
      apps.find((app: any) => app.name === 'sale').label,
    ];
  }
  const GERMAN = ['Lead', 'Erwarteter Umsatz', 'Mittel', 'Medium', 'Verkauf'];
  const ENGLISH = ['Lead', 'Expected Revenue', 'Medium', 'Medium', 'Sales'];

  test("are in the requested language, or else the user's", async () => {
    expect(await loadLabels(english, 'de')).toEqual(GERMAN);
    expect(await loadLabels(english)).toEqual(ENGLISH);
    expect(await loadLabels(german)).toEqual(GERMAN);
    expect(await loadLabels(german, 'en')).toEqual(ENGLISH);
  });

  test.each(['de_DE', 'de-AT', 'de'])('are German for %s, whichever languages are active', async (lang) => {
    expect(await loadLabels(english, lang)).toEqual(GERMAN);
  });

  test('are English for an unknown language', async () => {
    for (const lang of ['fr_FR', 'den', 'xx', '__proto__', '-', `de${'x'.repeat(5_000)}`])
      expect(await loadLabels(german, lang), lang.slice(0, 20)).toEqual(ENGLISH);
  });

  test('do not replace enum values', async () => {
    const { modelDescribe } = await runLabelQuery(german, MODEL);
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const type = modelDescribe.fields.find((field: any) => field.name === 'type');
    expect(type.selection).toEqual([
      { value: 'lead', label: 'Lead', graphqlName: 'LEAD' },
      { value: 'opportunity', label: 'Verkaufschance', graphqlName: 'OPPORTUNITY' },
    ]);
  });

  test('can be used to find models in either language', async () => {
    const find = async (filter: string) => {
      const query = 'query ($filter: String!) { models(filter: $filter) { model name } }';
      return (await runLabelQuery(german, query, { filter })).models;
    };
    const order = { model: 'sale.order', name: 'Verkaufsauftrag' };
    expect(await find('verkaufsauftrag')).toContainEqual(order);
    expect(await find('sales order')).toContainEqual(order);
    expect(await find('contact')).toContainEqual({ model: 'x_contact', name: 'Contact' });
  });
});
