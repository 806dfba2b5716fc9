import { canAccessField, canAccessModel, getRuleTree } from '../../src/engine/access/access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import {
  getModelLabel,
  getRequestedLanguage,
  type LabelLanguage,
  labelsArgument,
} from '../../src/engine/describe/labels.ts';
import { type Field, isDateField } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { isCustomName } from '../../src/engine/model/modules.ts';
import { getModelGraphNames } from '../../src/engine/model/registry.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../src/engine/operation/shape.ts';
import { search, searchRead } from '../../src/engine/read/records.ts';
import { toIsoTime } from '../../src/engine/value/instant.ts';
import { errors } from '../../src/errors.ts';

const MAX_PALETTE_MODELS = 20;
const MAX_ROWS_PER_MODEL = 10;
const MAX_PALETTE_QUERY_CHARS = 100;
/** Fields that distinguish records with equal names, by priority. */
const DETAIL_FIELDS = [
  'login',
  'partner_id',
  'parent_id',
  'project_id',
  'email',
  'email_from',
  'default_code',
];
/** Fields that distinguish meetings with equal names. */
const START_FIELDS = ['start_date', 'start'];
/** Models whose search takes longer are omitted. */
const PALETTE_TIMEOUT_MS = 2_000;

const PaletteRecord = defineTypedShape('PaletteRecord', 'A record found by its name.', {
  model: { type: 'String', description: "Technical name of the record's model." },
  modelLabel: { type: 'String', description: "Label of the record's model." },
  typeName: { type: 'String', description: 'GraphQL type of the record.' },
  recordId: { type: 'ID', description: 'Record id.' },
  name: { type: 'String', description: 'Display name.' },
  detail: {
    type: 'String',
    nullable: true,
    description:
      'Distinguishes records with equal names: the customer, company, project, email address, login or ' +
      'product code. Null if unset, part of the name or not visible to you.',
  },
  startsOn: {
    type: 'Date',
    nullable: true,
    description: 'First day of an all-day meeting. Null for other records.',
  },
  startsAt: {
    type: 'DateTime',
    nullable: true,
    description: 'Start of a meeting. Null for other records and all-day meetings.',
  },
});

const Palette = defineTypedShape('Palette', 'Results of a search by name.', {
  records: { type: [PaletteRecord], description: 'Records, grouped by model.' },
  isPartial: { type: 'Boolean', description: 'True if some models took too long and were left out.' },
});

export const paletteOperation = defineOperation('palette', {
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description:
    `Searches for records by name in up to ${MAX_PALETTE_MODELS} models, and returns up to ` +
    `${MAX_ROWS_PER_MODEL} records of each. Models that you may not read and models that take too long are ` +
    'left out.',
  args: (arg) => ({
    query: arg.string({
      required: true,
      description: `Text to search for, up to ${MAX_PALETTE_QUERY_CHARS} characters.`,
    }),
    models: arg.stringList({
      description:
        'Technical names of the models. Defaults to contacts, users, models that have messages, and custom ' +
        'models.',
    }),
    lang: arg.string(labelsArgument),
  }),
  type: Palette.ref as object,
  run: (ctx, { query, models, lang }) =>
    searchPalette(ctx, query.trim(), models ?? null, getRequestedLanguage(ctx, lang)),
});

async function searchPalette(
  ctx: Ctx,
  text: string,
  names: readonly string[] | null,
  language: LabelLanguage,
) {
  if (text.length > MAX_PALETTE_QUERY_CHARS)
    throw errors.badValue(`query: must have at most ${MAX_PALETTE_QUERY_CHARS} characters`);
  if (names && names.length > MAX_PALETTE_MODELS)
    throw errors.badValue(`models: must contain at most ${MAX_PALETTE_MODELS} models`);
  if (text === '') return { records: [], isPartial: false };
  const searchedModels = getReadableModels(ctx, names);
  const searches = await settleInTime(searchedModels.map((model) => searchModel(ctx, model, text, language)));
  return { records: searches.flatMap((rows) => rows ?? []), isPartial: searches.includes(null) };
}

/** Returns the named models that the caller may read, or commonly used models if `names` is null. */
function getReadableModels(ctx: Ctx, names: readonly string[] | null): Model[] {
  const { registry } = ctx.catalog;
  const models = names
    ? [...new Set(names)].flatMap((name) => registry.get(name) ?? [])
    : getSearchedModels(ctx);
  return models
    .filter((model) => model.display !== null && canAccessModel(ctx, model, 'read'))
    .slice(0, MAX_PALETTE_MODELS);
}

function getSearchedModels({ catalog: { registry } }: Ctx): Model[] {
  const first = ['res.partner', 'res.users'].flatMap((name) => registry.get(name) ?? []);
  const otherModels = [...registry.values()].filter(
    ({ name, options }) => options.mixins?.includes('mail.thread') || isCustomName(name),
  );
  return [...new Set([...first, ...otherModels])];
}

async function searchModel(ctx: Ctx, model: Model, text: string, language: LabelLanguage) {
  const getReadable = (name: string) => {
    const field = model.fields.get(name);
    return field && canAccessField(ctx, field) ? field : [];
  };
  const details = DETAIL_FIELDS.flatMap(getReadable);
  const times = START_FIELDS.flatMap(getReadable).filter(isDateField);
  const found = await searchRead(ctx, {
    model: model.name,
    domain: [['display_name', 'ilike', text]],
    fields: ['display_name', ...[...details, ...times].map(({ name }) => name)],
    page: { limit: MAX_ROWS_PER_MODEL },
  });
  const rows = found.value<FoundRow[]>();
  for (const field of details) if (field.relation) await clearHiddenLinks(ctx, field, rows);
  const { type } = getModelGraphNames(model);
  const about = { model: model.name, modelLabel: getModelLabel(model, language), typeName: type };
  return rows.map((row) => ({
    ...about,
    recordId: row.id,
    name: row.display_name || '',
    detail: findDetail(row, details),
    startsOn: row.start_date || null,
    startsAt: row.start && !row.start_date ? toIsoTime(row.start) : null,
  }));
}

interface FoundRow {
  id: number;
  display_name: string | false;
  start_date?: string | false;
  start?: string | false;
  [field: string]: unknown;
}

/** Clears links to records that the caller may not read. As in Odoo, a link is read with its name regardless. */
async function clearHiddenLinks(ctx: Ctx, { name, relation }: Field, rows: FoundRow[]): Promise<void> {
  const target = ctx.catalog.registry.get(relation!)!;
  const canRead = canAccessModel(ctx, target, 'read');
  if (canRead && !getRuleTree(ctx, target, 'read')) return;
  const ids = rows.flatMap((row) => getLinkedId(row[name]) ?? []);
  const archivedToo = target.active ? [[target.active.name, 'in', [true, false]]] : [];
  const domain = [['id', 'in', ids], ...archivedToo];
  const readable = new Set(canRead && ids.length > 0 ? await search(ctx, target.name, domain) : []);
  for (const row of rows) if (!readable.has(getLinkedId(row[name]) ?? 0)) row[name] = false;
}

const getLinkedId = (link: unknown): number | undefined => (Array.isArray(link) ? link[0] : undefined);

/** Returns the first detail that the record's name does not contain. */
function findDetail(row: FoundRow, details: Field[]): string | null {
  const texts = details.map(({ name }) => {
    const value = row[name];
    return String((Array.isArray(value) ? value[1] : value) || '').trim();
  });
  return texts.find((text) => text !== '' && !(row.display_name || '').includes(text)) ?? null;
}

/** Returns null for searches that do not finish in time. Their later errors are ignored. */
async function settleInTime<T>(searches: Promise<T>[]): Promise<(T | null)[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PALETTE_TIMEOUT_MS);
  });
  try {
    return await Promise.all(searches.map((search) => Promise.race([search, timeout])));
  } finally {
    clearTimeout(timer);
    for (const search of searches) search.catch(() => undefined);
  }
}
