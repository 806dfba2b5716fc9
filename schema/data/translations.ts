import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { readTranslations, writeTranslations } from '../../src/engine/write/translations.ts';
import { Translation } from './record-types.ts';

// Translations of text fields. Argument names and positions follow classic RPC (Odoo 19).

export const recordTranslations = defineOperation('recordTranslations', {
  effects: ['reads'],
  address: '*/get_field_translations',
  policy: { auth: ['USER'], scope: 'read' },
  description: "Returns the translations of a record's field.",
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({
      required: true,
      description: 'Record whose field is translated. Pass exactly one id.',
    }),
    fieldName: arg.string({ required: true }),
    langs: arg.stringList({ description: 'Language codes. Defaults to the installed languages.' }),
  }),
  type: [Translation],
  returns: facadeResult.json,
  run: (ctx, { model, ids, fieldName: field, langs }) =>
    readTranslations(ctx, model, ids, field, langs ?? null),
  answer: (_ctx, [texts]) => texts,
});

export const recordTranslate = defineOperation('recordTranslate', {
  effects: ['writes'],
  address: '*/update_field_translations',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Sets translations of a field, such as `{"fr_FR": "Salut"}`. The value false removes a translation.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    fieldName: arg.string({ required: true }),
    translations: arg({ type: 'JSON', required: true, description: 'New translations by language code.' }),
    sourceLang: arg.string({ description: 'Not used. Accepted for compatibility.' }),
  }),
  type: 'Boolean',
  run: (ctx, { model, ids, fieldName: field, translations }) =>
    writeTranslations(ctx, model, ids, field, translations),
});
