import { mapYielding } from '../../loop/yield.ts';
import { assertModelAccess, canAccessField } from '../access/access.ts';
import { getModel } from '../access/create-statement.ts';
import { assertNoneMissing } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isListField, isStoredField } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { findNameField } from '../model/naming.ts';
import { isTranslated, SOURCE_LANGUAGE } from '../model/translations.ts';
import { read } from '../read/records.ts';
import type { NestedSelect, SelectList } from '../read/select-list.ts';
import { copyTranslations } from './translations.ts';
import { makeTextsUnique } from './unique-text.ts';
import { parseValues } from './values.ts';
import { create } from './write.ts';

/**
 * Copies the records `ids`, including many2many links and the lines of copied one2many fields. `defaults` override the
 * copied values.
 * @returns ids of the copies, in the order of `ids`
 * @throws MISSING, ACCESS_ERROR if the caller may not read or create the records, BAD_VALUE for an unknown field
 */
export async function copy(ctx: Ctx, name: string, ids: number[], defaults: unknown): Promise<number[]> {
  const model = getModel(ctx, name);
  assertModelAccess(ctx, model, 'create');
  return ctx.tx(async (tx) => {
    // Translations are copied afterwards. In another language, the copy would lose the source texts.
    const inSourceLanguage = tx.with({ context: { ...tx.context, lang: SOURCE_LANGUAGE } });
    const list = await copyData(inSourceLanguage, name, ids, defaults);
    const copies = await create(inSourceLanguage, name, list);
    const values = parseGivenDefaults(defaults);
    const texts = [...model.fields.values()].filter(
      (field) => isTranslated(model, field) && !(field.name in values),
    );
    await model.options.afterCopy?.(tx, ids, copies, values);
    await copyTranslations(tx, { model, fields: texts, nameField: findSuffixedField(model) }, ids, copies);
    return copies;
  });
}

export async function copyData(ctx: Ctx, name: string, ids: number[], defaults: unknown): Promise<Values[]> {
  const model = getModel(ctx, name);
  const values = parseGivenDefaults(defaults);
  const fields = [...model.fields.values()].filter(
    (field) => isCopiedField(ctx, field) && !isFieldGiven(field, values),
  );
  const records = await read(ctx, { model: name, ids, fields: buildCopySelect(ctx, fields), flavour: 'ids' });
  const rows = await records.valueYielding<(Values & { id: number })[]>();
  assertNoneMissing(ctx, model, ids, rows);
  const list = await mapYielding(rows, (row) => ({ ...copyValues(ctx, fields, row), ...values }));
  nameCopies(model, list, values);
  await makeTextsUnique(ctx, model, list, fields);
  return list;
}

const parseGivenDefaults = (defaults: unknown): Values =>
  defaults === null || defaults === undefined || defaults === false ? {} : parseValues(defaults);

/** The parent defines a record's properties, so they start empty under another parent. */
const isFieldGiven = (field: Field, defaults: Values): boolean =>
  field.name in defaults || (field.definition !== undefined && field.definition[0] in defaults);

/** Excludes fields that callers cannot set. In a copy, these fields have their defaults. */
const isCopiedField = (ctx: Ctx, field: Field): boolean =>
  field.copied &&
  !field.readonly &&
  !field.secret &&
  !field.thread &&
  canAccessField(ctx, field) &&
  (isStoredField(field) || isListField(field));

function buildCopySelect(ctx: Ctx, fields: Field[]): SelectList {
  return [
    'id',
    ...fields.map((field) => (field.type === 'one2many' ? buildLineSelect(ctx, field) : field.name)),
  ];
}

function buildLineSelect(ctx: Ctx, field: Field): NestedSelect {
  const inner = listCopiedLineFields(ctx, field);
  return { relation: field, as: field.name, fields: buildCopySelect(ctx, inner), order: 'id' };
}

/**
 * Excludes the link to the owner, which is set to the copy, and one2many fields, because copying nested lines might
 * never end.
 */
const listCopiedLineFields = (ctx: Ctx, field: Field): Field[] =>
  [...getModel(ctx, field.relation!).fields.values()].filter(
    (inner) => isCopiedField(ctx, inner) && inner.name !== field.inverse && inner.type !== 'one2many',
  );

function copyValues(ctx: Ctx, fields: Field[], row: Values): Values {
  return Object.fromEntries(fields.map((field) => [field.name, copyValue(ctx, field, row[field.name])]));
}

function copyValue(ctx: Ctx, field: Field, value: unknown): unknown {
  if (field.type === 'many2many') return [[6, 0, value]];
  if (field.type !== 'one2many') return value;
  const inner = listCopiedLineFields(ctx, field);
  return (value as Values[]).map((line) => [0, 0, copyValues(ctx, inner, line)]);
}

function nameCopies(model: Model, list: Values[], defaults: Values): void {
  if (!findSuffixedField(model) || 'name' in defaults) return;
  for (const values of list) if (values.name) values.name = `${values.name} (copy)`;
}

/** Returns the field that distinguishes a copy from its original. */
function findSuffixedField(model: Model): Field | null {
  const field = findNameField(model);
  return field?.name === 'name' && field.type === 'char' ? field : null;
}
