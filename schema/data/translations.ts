import { verb } from '../../src/engine/verb/verb.ts';
import { translate, translationsOf } from '../../src/engine/write/translations.ts';

// Texts of records in several languages. Names and positions are those of classic RPC (Odoo 19).

verb('recordTranslations', {
  kind: 'query',
  address: '*/get_field_translations',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Returns the translations of a field of one record.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.intList({ required: true, description: 'Record whose field is translated; exactly one id.' }),
    field_name: arg.string({ required: true }),
    langs: arg.stringList({ description: 'Language codes. Defaults to the installed languages.' }),
  }),
  run: (ctx, { model, ids, field_name: field, langs }) =>
    translationsOf(ctx, model, ids, field, langs ?? null),
});

verb('recordTranslate', {
  kind: 'mutation',
  address: '*/update_field_translations',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Sets translations of a field, such as `{"fr_FR": "Salut"}`. False removes a translation.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.intList({ required: true }),
    field_name: arg.string({ required: true }),
    translations: arg({ type: 'JSON', required: true, description: 'New texts by language code.' }),
    source_lang: arg.string({ description: 'Not used. Accepted for compatibility.' }),
  }),
  type: 'Boolean',
  run: (ctx, { model, ids, field_name: field, translations }) =>
    translate(ctx, model, ids, field, translations),
});
