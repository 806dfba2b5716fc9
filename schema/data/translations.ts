import { verb } from '../../src/engine/verb/verb.ts';
import { translate, translationsOf } from '../../src/engine/write/translations.ts';

// Texts of records in several languages. Names and positions are those of classic RPC (Odoo 19).

verb('recordTranslations', {
  kind: 'query',
  address: '*/get_field_translations',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'A translated text of one record in the languages in use, or in those named.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.intList({ required: true }),
    field_name: arg.string({ required: true }),
    langs: arg.stringList(),
  }),
  run: (ctx, { model, ids, field_name: field, langs }) =>
    translationsOf(ctx, model, ids, field, langs ?? null),
});

verb('recordTranslate', {
  kind: 'mutation',
  address: '*/update_field_translations',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Writes a translated text in several languages: `{"fr_FR": "Salut"}`; false takes one away.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.intList({ required: true }),
    field_name: arg.string({ required: true }),
    translations: arg({ type: 'JSON', required: true }),
    source_lang: arg.string(),
  }),
  type: 'Boolean',
  run: (ctx, { model, ids, field_name: field, translations }) =>
    translate(ctx, model, ids, field, translations),
});
