import { describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));

const findLanguageId = async (code: string): Promise<number> =>
  (
    await admin.value('res.lang/search', { domain: [['code', '=', code]], context: { active_test: false } })
  )[0];

const install = async (code: string, overwrite: boolean) => {
  const lang_ids = [[6, 0, [await findLanguageId(code)]]];
  const ids = await admin.value('base.language.install/create', { vals_list: { lang_ids, overwrite } });
  return admin.value('base.language.install/lang_install', { ids });
};

const readTranslated = async (model: string, key: string, field: string, lang: string) => {
  const searchArgs = { domain: [[model === 'res.country' ? 'code' : 'name', '=', key]], fields: [field] };
  return (await user.value(`${model}/search_read`, { ...searchArgs, context: { lang } }))[0][field];
};

describe('the wizard base.language.install', () => {
  test('activates a language and translates the names of countries and currencies', async () => {
    expect(await install('fr_BE', false)).toMatchObject({ type: 'ir.actions.client' });
    expect(await readTranslated('res.country', 'BE', 'name', 'fr_BE')).toBe('Belgique');
    expect(await readTranslated('res.country', 'BE', 'name', 'en_US')).toBe('Belgium');
    expect(await readTranslated('res.currency', 'USD', 'full_name', 'fr_BE')).toMatch(/^dollar/);
    const partner = await admin.create('res.partner', { name: 'Ann', country_id: (await findBelgium())[0] });
    const readCall = { ids: [partner], fields: ['country_id'], context: { lang: 'fr_BE' } };
    expect((await admin.value('res.partner/read', readCall))[0].country_id[1]).toBe('Belgique');
  });

  test('has the same effect as activating a language directly', async () => {
    await admin.value('res.lang/write', { ids: [await findLanguageId('nl_NL')], vals: { active: true } });
    expect(await readTranslated('res.country', 'DE', 'name', 'nl_NL')).toBe('Duitsland');
  });

  test('keeps custom translations unless overwriting is requested', async () => {
    await admin.value('res.lang/write', { ids: [await findLanguageId('de_DE')], vals: { active: true } });
    const customNames = { name: 'Königreich Belgien' };
    await admin.value('res.country/write', {
      ids: await findBelgium(),
      vals: customNames,
      context: { lang: 'de_DE' },
    });
    await install('de_DE', false);
    expect(await readTranslated('res.country', 'BE', 'name', 'de_DE')).toBe(customNames.name);
    await install('de_DE', true);
    expect(await readTranslated('res.country', 'BE', 'name', 'de_DE')).toBe('Belgien');
    const [france] = await admin.value('res.country/search', { domain: [['code', '=', 'FR']] });
    await admin.value('res.country/write', { ids: [france], vals: { name: 'Gaul' } });
    await admin.value('res.lang/write', { ids: [await findLanguageId('it_IT')], vals: { active: true } });
    expect(await readTranslated('res.country', 'FR', 'name', 'it_IT')).toBe('Gaul');
    expect(await readTranslated('res.country', 'BE', 'name', 'it_IT')).toBe('Belgio');
  });

  test('is limited to administrators and affects only their workspace', async () => {
    const lang_ids = [[6, 0, [await findLanguageId('es_ES')]]];
    await user.expectError(403, 'base.language.install/create', { vals_list: [{ lang_ids }] });
    const ids = await admin.value('base.language.install/create', { vals_list: [{ lang_ids }] });
    await user.expectError(403, 'base.language.install/lang_install', { ids });
    await admin.expectError(404, 'base.language.install/lang_install', { ids: [999_999] });
    const otherClient = createJsonClient(app, (await app.tenant('other')).admin.key);
    const domain = [['code', '=', 'BE']];
    await otherClient.expectError(422, 'res.country/search_read', {
      domain,
      fields: ['name'],
      context: { lang: 'fr_BE' },
    });
    await otherClient.value('res.lang/write', {
      ids: [await findLanguageId('es_ES')],
      vals: { active: true },
    });
    expect(await readTranslated('res.country', 'BE', 'name', 'fr_BE')).toBe('Belgique');
  });
});

const findBelgium = (): Promise<number[]> =>
  admin.value('res.country/search', { domain: [['code', '=', 'BE']] });
