import { createCache, memoizePerObject } from '../../cache.ts';
import { canAccessField, canAccessModel } from '../access/access.ts';
import { getModel } from '../access/create-statement.ts';
import type { Catalog } from '../ctx/catalog.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isFractionField, isReturnedByDefault } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { RawJson } from '../value/raw-json.ts';
import { buildFieldInfo, type FieldInfo } from './field-info.ts';
import { getLabelLanguage, getModelLabel, getModelPluralLabel, type LabelLanguage } from './labels.ts';

const MAX_CACHED_DESCRIPTIONS = 100;

/**
 * Describes the fields that the caller may see, in the format of classic RPC. Omits unknown names. Labels are in the
 * caller's language by default.
 */
export function describeFields(
  ctx: Ctx,
  name: string,
  names: string[] | null,
  attributes: string[] | null,
  language: LabelLanguage = getLabelLanguage(ctx),
): Record<string, FieldInfo> {
  const model = getModel(ctx, name);
  const result: Record<string, FieldInfo> = {};
  for (const field of model.fields.values()) {
    const isRequested = names?.length ? names.includes(field.name) : isReturnedByDefault(field);
    if (!canAccessField(ctx, field) || !isRequested) continue;
    const info = buildFieldInfo(ctx.catalog.registry, model, field, language);
    if (field.type === 'reference') info.selection ??= listReferencableModels(ctx, language);
    if (field.choices) info.selection = getChoices(ctx.catalog, field.choices);
    result[field.name] = attributes ? pickAttributes(info, attributes) : info;
  }
  return result;
}

function getChoices(catalog: Catalog, choices: NonNullable<Field['choices']>): [string, string][] {
  return choices === 'languages' ? [...catalog.languages] : TIME_ZONE_CHOICES;
}

/** Time zones listed by ECMA-402, plus UTC, which it omits. */
const TIME_ZONE_CHOICES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
  .sort()
  .map((zone): [string, string] => [zone, zone]);

/** Cached by catalog, because field metadata depends on nothing else and clients often request the same fields. */
const getFieldTextCache = memoizePerObject((_catalog: Catalog) =>
  createCache<string, string>({ entries: MAX_CACHED_DESCRIPTIONS }),
);

export function renderFieldsText(
  ctx: Ctx,
  name: string,
  names: string[] | null,
  attributes: string[] | null,
): RawJson {
  const fields = [...getModel(ctx, name).fields.values()];
  const language = getLabelLanguage(ctx);
  const text = () => JSON.stringify(describeFields(ctx, name, names, attributes, language));
  // The allowed targets of a reference depend on the caller's rights, so the result is not cached.
  if (fields.some((field) => field.type === 'reference' && !field.selection)) return new RawJson(text(), 0);
  const hiddenFields = fields.filter((field) => !canAccessField(ctx, field)).map((field) => field.name);
  const key = JSON.stringify([name, names, attributes, hiddenFields, language]);
  return new RawJson(key.length < 1_000 ? getFieldTextCache(ctx.catalog).getOrCreate(key, text) : text(), 0);
}

const pickAttributes = (info: FieldInfo, attributes: string[]): FieldInfo =>
  Object.fromEntries(Object.entries(info).filter(([key]) => attributes.includes(key)));

/** Lists the models that a reference can point to: all models that the caller may read. */
const listReferencableModels = (ctx: Ctx, language: LabelLanguage): [string, string][] =>
  listModels(ctx, null, Number.POSITIVE_INFINITY, language).map(({ model, name }) => [model, name]);

export const getReadableModels = (ctx: Ctx): Model[] =>
  [...ctx.catalog.registry.values()].filter((model) => canAccessModel(ctx, model, 'read'));

/**
 * Lists the models that the caller may read, except wizards, sorted by name. The filter also matches English labels.
 */
export function listModels(
  ctx: Ctx,
  filter: string | null,
  limit: number,
  language: LabelLanguage = getLabelLanguage(ctx),
): { model: string; name: string; pluralName: string }[] {
  const filterText = filter?.toLowerCase() ?? '';
  const matchesFilter = (text: string) => text.toLowerCase().includes(filterText);
  return getReadableModels(ctx)
    .filter((model) => !model.options.isWizard)
    .filter(
      (model) =>
        model.name.includes(filterText) ||
        matchesFilter(model.label) ||
        matchesFilter(getModelLabel(model, language)),
    )
    .map((model) => ({
      model: model.name,
      name: getModelLabel(model, language),
      pluralName: getModelPluralLabel(model, language),
    }))
    .sort((a, b) => (a.model < b.model ? -1 : 1))
    .slice(0, limit);
}

interface ModelInfo {
  model: string;
  your_access: { read: boolean; create: boolean; write: boolean; unlink: boolean };
  fields: Record<string, unknown>[];
}

export function describeModel(ctx: Ctx, name: string, language: LabelLanguage): ModelInfo {
  const model = getModel(ctx, name);
  const may = (operation: 'read' | 'create' | 'write' | 'unlink') => canAccessModel(ctx, model, operation);
  return {
    model: model.name,
    your_access: { read: may('read'), create: may('create'), write: may('write'), unlink: may('unlink') },
    fields: Object.values(describeFields(ctx, name, null, null, language)).map((info) => ({
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

/** Finds the model's float fields, because XML distinguishes 1.0 from 1. */
export function findFloatFields(model: Model): Set<string> {
  return new Set([...model.fields.values()].filter(isFractionField).map((field) => field.name));
}
