import { createCache, perOwner } from '../../cache.ts';
import { limits } from '../../limits.ts';
import { mayField, mayModel } from '../access/access.ts';
import { modelOf } from '../access/reader.ts';
import type { Catalog } from '../ctx/catalog.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isFraction } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { RawJson } from '../value/raw-json.ts';
import { type FieldInfo, fieldInfo } from './field-info.ts';
import { type LabelLanguage, labelLanguageOf, modelLabel } from './labels.ts';

/**
 * Names of every field the caller may see, with what classic RPC says of them; unknown names are left out. Labels are
 * in the caller's language, unless in another.
 */
export function fieldsGet(
  ctx: Ctx,
  name: string,
  only: string[] | null,
  attributes: string[] | null,
  language: LabelLanguage = labelLanguageOf(ctx),
): Record<string, FieldInfo> {
  const model = modelOf(ctx, name);
  const result: Record<string, FieldInfo> = {};
  for (const field of model.fields.values()) {
    if (!mayField(ctx, field) || (only?.length && !only.includes(field.name))) continue;
    const info = fieldInfo(ctx.catalog.registry, model, field, language);
    if (field.type === 'reference') info.selection ??= referencable(ctx, language);
    if (field.choices) info.selection = choicesOf(ctx.catalog, field.choices);
    result[field.name] = attributes ? chosen(info, attributes) : info;
  }
  return result;
}

/** The options `[value, label]` of a selection that follows from the workspace. */
function choicesOf(catalog: Catalog, choices: NonNullable<Field['choices']>): [string, string][] {
  return choices === 'languages' ? [...catalog.languages] : zones;
}

/** As ECMA-402 names them, which leaves UTC out. */
const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
  .sort()
  .map((zone): [string, string] => [zone, zone]);

/** Answers kept for each catalog: facts of fields change with it alone, and clients ask for the same ones again. */
const kept = perOwner((_catalog: Catalog) =>
  createCache<string, string>({ entries: limits.record.fieldAnswers }),
);

/** As fieldsGet, in JSON. */
export function fieldsText(
  ctx: Ctx,
  name: string,
  only: string[] | null,
  attributes: string[] | null,
): RawJson {
  const fields = [...modelOf(ctx, name).fields.values()];
  const language = labelLanguageOf(ctx);
  const text = () => JSON.stringify(fieldsGet(ctx, name, only, attributes, language));
  // What a reference may lead to is the caller's own.
  if (fields.some((field) => field.type === 'reference' && !field.selection)) return new RawJson(text(), 0);
  const hidden = fields.filter((field) => !mayField(ctx, field)).map((field) => field.name);
  const key = JSON.stringify([name, only, attributes, hidden, language]);
  return new RawJson(key.length < 1_000 ? kept(ctx.catalog).remember(key, text) : text(), 0);
}

const chosen = (info: FieldInfo, attributes: string[]): FieldInfo =>
  Object.fromEntries(Object.entries(info).filter(([key]) => attributes.includes(key)));

/** A reference may lead to any model that the caller may read. */
const referencable = (ctx: Ctx, language: LabelLanguage): [string, string][] =>
  listModels(ctx, null, Number.POSITIVE_INFINITY, language).map(({ model, name }) => [model, name]);

/** Models the caller may read, by name. A filter finds them by their English labels as well. */
export function listModels(
  ctx: Ctx,
  filter: string | null,
  limit: number,
  language: LabelLanguage = labelLanguageOf(ctx),
): { model: string; name: string }[] {
  const wanted = filter?.toLowerCase() ?? '';
  const has = (text: string) => text.toLowerCase().includes(wanted);
  return [...ctx.catalog.registry.values()]
    .filter((model) => mayModel(ctx, model, 'read'))
    .filter((model) => model.name.includes(wanted) || has(model.label) || has(modelLabel(model, language)))
    .map((model) => ({ model: model.name, name: modelLabel(model, language) }))
    .sort((a, b) => (a.model < b.model ? -1 : 1))
    .slice(0, limit);
}

export interface ModelInfo {
  model: string;
  your_access: { read: boolean; create: boolean; write: boolean; unlink: boolean };
  fields: Record<string, unknown>[];
}

/** What the caller may do with a model, and its fields. */
export function describeModel(ctx: Ctx, name: string, language: LabelLanguage): ModelInfo {
  const model = modelOf(ctx, name);
  const may = (operation: 'read' | 'create' | 'write' | 'unlink') => mayModel(ctx, model, operation);
  return {
    model: model.name,
    your_access: { read: may('read'), create: may('create'), write: may('write'), unlink: may('unlink') },
    fields: Object.values(fieldsGet(ctx, name, null, null, language)).map((info) => ({
      name: info.name,
      string: info.string,
      type: info.type,
      required: info.required,
      readonly: info.readonly,
      relation: info.relation ?? null,
      selection: info.selection ?? null,
      help: info.help ?? null,
    })),
  };
}

/** The fields of `model` whose values are floats; XML distinguishes 1.0 from 1, JSON does not. */
export function floatFields(model: Model): Set<string> {
  return new Set([...model.fields.values()].filter(isFraction).map((field) => field.name));
}
