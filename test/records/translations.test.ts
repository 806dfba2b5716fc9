import { beforeAll, describe, expect, test } from 'vitest';
import { setUp } from '../harness/set-up.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
let id: number;
const french = { lang: 'fr_FR' };
beforeAll(async () => {
  await makeLab(lab);
  const [lang] = await lab.value('res.lang/search', {
    domain: [['code', '=', 'fr_FR']],
    context: { active_test: false },
  });
  await lab.value('res.lang/write', { ids: [lang], vals: { active: true } });
  const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', 'x_lab']] });
  const field = { model_id, name: 'x_trans', ttype: 'char', translate: 'standard', state: 'manual' };
  await lab.value('ir.model.fields/create', { vals_list: field });
  [id] = await lab.value('x_lab/create', { vals_list: { x_name: 'own', x_trans: 'Hello' } });
  await lab.value('x_lab/write', { ids: [id], vals: { x_trans: 'Bonjour' }, context: french });
});

const readText = async (context = {}, record = id) =>
  (await lab.value('x_lab/read', { ids: [record], fields: ['x_trans'], context }))[0].x_trans;

describe('translated text', () => {
  test("is returned in the context's language, or else in the source language", async () => {
    expect([await readText(), await readText(french), await readText({ lang: 'en_US' })]).toEqual([
      'Hello',
      'Bonjour',
      'Hello',
    ]);
  });

  test("is part of a contact's address", async () => {
    const [country] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
    const [contact] = await lab.value('res.partner/create', {
      vals_list: { name: 'A', country_id: country },
    });
    const context = { ...french, show_address: true };
    const call = { ids: [contact], fields: ['contact_address', 'display_name'], context };
    const [row] = await lab.value('res.partner/read', call);
    expect([row.contact_address.trim(), row.display_name]).toEqual(['Belgique', 'A\nBelgique']);
  });

  test('falls back to the source text', async () => {
    const [other] = await lab.value('x_lab/create', { vals_list: { x_trans: 'Tuesday' } });
    expect(await readText(french, other)).toBe('Tuesday');
    const [first] = await lab.value('x_lab/create', { vals_list: { x_trans: 'Mardi' }, context: french });
    expect([await readText({}, first), await readText(french, first)]).toEqual(['Mardi', 'Mardi']);
  });

  test("is searched, sorted and displayed in the context's language", async () => {
    const find = (text: string, context = {}) =>
      lab.value('x_lab/search', { domain: [['x_trans', '=', text]], context });
    expect([await find('Bonjour', french), await find('Bonjour'), await find('Hello', french)]).toEqual([
      [id],
      [],
      [],
    ]);
    const [stage] = await lab.value('crm.stage/create', { vals_list: { name: 'Waiting' } });
    await lab.value('crm.stage/write', { ids: [stage], vals: { name: 'En attente' }, context: french });
    const [lead] = await lab.value('crm.lead/create', { vals_list: { name: 'l', stage_id: stage } });
    const stageIn = async (context = {}) =>
      (await lab.value('crm.lead/read', { ids: [lead], fields: ['stage_id'], context }))[0].stage_id;
    expect([await stageIn(french), await stageIn()]).toEqual([
      [stage, 'En attente'],
      [stage, 'Waiting'],
    ]);
  });

  test('is copied in all languages', async () => {
    const [copy] = await lab.value('x_lab/copy', { ids: [id] });
    expect([await readText({}, copy), await readText(french, copy)]).toEqual(['Hello', 'Bonjour']);
    const [frenchCopy] = await lab.value('x_lab/copy', { ids: [id], context: french });
    expect([await readText({}, frenchCopy), await readText(french, frenchCopy)]).toEqual([
      'Hello',
      'Bonjour',
    ]);
  });

  test('distinguishes the name of a copy in all languages', async () => {
    const [stage] = await lab.value('crm.stage/create', { vals_list: { name: 'Sent' } });
    await lab.value('crm.stage/write', { ids: [stage], vals: { name: 'Envoyé' }, context: french });
    const copyNames = async (args: object) => {
      const ids = await lab.value('crm.stage/copy', { ids: [stage], ...args });
      const read = async (context: object) =>
        (await lab.value('crm.stage/read', { ids, fields: ['name'], context }))[0].name;
      return [await read({}), await read(french)];
    };
    expect(await copyNames({})).toEqual(['Sent (copy)', 'Envoyé (copy)']);
    expect(await copyNames({ context: french })).toEqual(['Sent (copy)', 'Envoyé (copy)']);
    expect(await copyNames({ default: { name: 'Paid' } })).toEqual(['Paid', 'Paid']);
  });

  test('can be read and written in all languages with get_field_translations and update_field_translations', async () => {
    const [ownRecord] = await lab.value('x_lab/create', { vals_list: { x_trans: 'Day' } });
    const body = { ids: [ownRecord], field_name: 'x_trans' };
    const texts = { en_US: 'Days', fr_FR: 'Jours' };
    expect(await lab.value('x_lab/update_field_translations', { ...body, translations: texts })).toBe(true);
    expect(await lab.value('x_lab/get_field_translations', body)).toEqual([
      [
        { lang: 'en_US', source: 'Days', value: 'Days' },
        { lang: 'fr_FR', source: 'Days', value: 'Jours' },
      ],
      { translation_type: 'char', translation_show_source: false },
    ]);
    await lab.value('x_lab/update_field_translations', { ...body, translations: { fr_FR: false } });
    expect(await readText(french, ownRecord)).toBe('Days');
  });

  test.each([
    ['read', { fields: ['x_trans'], context: { lang: 'de_DE' } }, 'Invalid language code'],
    ['get_field_translations', { field_name: 'x_trans', langs: ['zz'] }, 'Invalid language code'],
    [
      'update_field_translations',
      { field_name: 'x_trans', translations: { zz: 'x' } },
      'Invalid language code',
    ],
    ['get_field_translations', { field_name: 'x_char' }, "'x_char'"],
    ['get_field_translations', { field_name: 'nope' }, "'nope'"],
  ])('rejects %s %j', async (method, body, token) => {
    const error = await lab.expectError(`x_lab/${method}`, { ids: [id], ...body });
    expect([error.status, error.message]).toEqual([422, expect.stringContaining(token)]);
  });
});

test('uses translated names in the display names of all models', async () => {
  const models: { model: string }[] = await lab.value('ir.model/search_read', {
    domain: [],
    fields: ['model'],
  });
  const mismatches: string[] = [];
  let requestCount = 0;
  for (const { model } of models) {
    const infos = await lab.value(`${model}/fields_get`, {
      allfields: ['name', 'title'],
      attributes: ['translate'],
    });
    const name = Object.keys(infos).find((key) => infos[key].translate);
    const searchResponse = await lab.json2(`${model}/search`, { domain: [], limit: 1 });
    const [record] = searchResponse.status === 200 ? searchResponse.json() : [];
    if (!name || record === undefined) continue;
    const vals = { [name]: 'Nom à part' };
    const response = await lab.json2(`${model}/write`, { ids: [record], vals, context: french });
    if (response.status !== 200) continue;
    requestCount++;
    const show = async (context: object) =>
      (await lab.value(`${model}/read`, { ids: [record], fields: ['display_name'], context }))[0]
        .display_name;
    if (!(await show(french)).includes('Nom à part')) mismatches.push(`${model}: ${await show(french)}`);
    if ((await show({})).includes('Nom à part')) mismatches.push(`${model} in English: ${await show({})}`);
    const query = { name: 'Nom à part', context: french };
    const matches = await lab.value(`${model}/name_search`, query);
    if (!matches.some(([item]: [number, string]) => item === record))
      mismatches.push(`${model} is not found by it`);
  }
  expect(mismatches).toEqual([]);
  expect(requestCount).toBeGreaterThan(8);
});

test("uses a product's translated name in links to it", async () => {
  const vals_list = [{ name: 'Chair', default_code: 'CH1' }];
  const [template] = await lab.value('product.template/create', { vals_list });
  await lab.value('product.template/write', { ids: [template], vals: { name: 'Chaise' }, context: french });
  const readCall = { ids: [template], fields: ['display_name', 'product_variant_id'], context: french };
  const [{ display_name, product_variant_id }] = await lab.value('product.template/read', readCall);
  expect([display_name, product_variant_id[1]]).toEqual(['[CH1] Chaise', '[CH1] Chaise']);
});

test('rejects an invalid language code', async () => {
  const vals_list = [{ name: 'Klingon', code: 'not a code', url_code: 'x' }];
  const error = await lab.expectError('res.lang/create', { vals_list });
  expect([error.status, error.message]).toEqual([422, expect.stringContaining('not a code')]);
});
