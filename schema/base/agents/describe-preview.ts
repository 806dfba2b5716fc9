import { parseCommands } from '../../../src/engine/access/list-effects.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoader } from '../../../src/engine/ctx/loader.ts';
import {
  getOptionLabel,
  type LabelLanguage,
  translateFieldTexts,
} from '../../../src/engine/describe/labels.ts';
import { type Field, isListField } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { defineEnumShape, defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { loadReadableNames } from '../../../src/engine/read/property-names.ts';
import { INT_MAX } from '../../../src/engine/value/number.ts';
import { formatValue, isObject } from '../../../src/json.ts';
import { toPlainText } from './preview-text.ts';

const ListChange = defineEnumShape('HeldListChange', "A change to the records in a record's list.", {
  create: 'Creates a record with the values of the nested parts.',
  update: 'Updates the record in `values` with the values of the nested parts.',
  delete: 'Deletes the records in `values`.',
  remove: 'Removes the records in `values` from the list.',
  add: 'Adds the records in `values` to the list.',
  clear: 'Removes all records from the list.',
  set: 'Replaces the records in the list with the records in `values`.',
});

/** By the code of the list command. */
const LIST_CHANGES = ['create', 'update', 'delete', 'remove', 'add', 'clear', 'set'] as const;

export const Part = defineTypedShape('HeldActionPart', "A part of a held action's preview.", {
  level: {
    type: 'Int',
    description: 'Nesting level. A part belongs to the last part before it with a smaller level.',
  },
  name: { type: 'String', description: 'Name of the value, such as a field. Empty for an item of a list.' },
  label: { type: 'String', nullable: true, description: 'Label of the field. Null for other values.' },
  change: { type: ListChange, nullable: true, description: 'Change to a list. Null for other values.' },
  value: { type: 'String', nullable: true, description: 'Value. Null if it is a list or an object.' },
  values: { type: ['String'], description: 'Items of a list of simple values, or names of records.' },
});

export type PartValue = ValueOf<typeof Part>;

/** Describes a preview, with the names of the records that the caller may read. */
export const describePreview = (reader: Reader, preview: object): Promise<PartValue[]> =>
  describeEntries(reader, { level: -1, name: '' }, preview);

interface Reader {
  ctx: Ctx;
  lang: LabelLanguage;
  /** Model of the action's records. */
  target: Model | undefined;
}

interface Place extends Partial<PartValue> {
  level: number;
  name: string;
  /** Model whose field values an object at this place contains. */
  model?: Model | undefined;
}

const describeEntries = (reader: Reader, { level, model }: Place, values: object): Promise<PartValue[]> =>
  describeAll(
    Object.entries(values).map(([key, value]) => {
      const place = { level: level + 1, name: toPlainText(key) };
      const field = model?.fields.get(key);
      if (model && field) return describeField(reader, place, model, field, value);
      // The tools `create` and `update` have this argument.
      return describeValue(reader, key === 'values' ? { ...place, model: reader.target } : place, value);
    }),
  );

async function describeValue(reader: Reader, place: Place, value: unknown): Promise<PartValue[]> {
  if (isObject(value)) return [toPart(place), ...(await describeEntries(reader, place, value))];
  if (!Array.isArray(value)) return [toPart({ ...place, value: toPlainText(value) })];
  if (value.every((item) => item === null || typeof item !== 'object'))
    return [toPart({ ...place, values: value.map(toPlainText) })];
  const item = { level: place.level + 1, name: '', model: place.model };
  return [toPart(place), ...(await describeAll(value.map((value) => describeValue(reader, item, value))))];
}

async function describeField(
  reader: Reader,
  { level, name }: Place,
  model: Model,
  field: Field,
  value: unknown,
): Promise<PartValue[]> {
  const { ctx, lang } = reader;
  const place = { level, name, label: toPlainText(translateFieldTexts(model, field, lang).label) };
  const related = ctx.catalog.registry.get(field.relation ?? '');
  if (value === false && field.type !== 'boolean' && !isListField(field)) return [toPart(place)];
  if (!related) return describeValue(reader, place, getOptionLabel(model, field, value, lang) ?? value);
  if (!isListField(field)) return [toPart({ ...place, value: await loadName(ctx, related, value) })];
  const commands = parseCommands(value).map((command) =>
    describeCommand(reader, { level: level + 1, name: '', model: related }, related, command),
  );
  return [toPart(place), ...(await describeAll(commands))];
}

async function describeCommand(
  reader: Reader,
  place: Place,
  model: Model,
  command: unknown[],
): Promise<PartValue[]> {
  const [code, id, extra] = command;
  const isClear = code === 6 && Array.isArray(extra) && extra.length === 0;
  const change = isClear ? 'clear' : typeof code === 'number' && LIST_CHANGES[code];
  if (!change) return describeValue(reader, place, command);
  const ids = change === 'set' ? [extra].flat() : change === 'create' || change === 'clear' ? [] : [id];
  const values = await Promise.all(ids.map((id) => loadName(reader.ctx, model, id)));
  const hasValues = (change === 'create' || change === 'update') && isObject(extra);
  return [
    toPart({ ...place, change, values }),
    ...(hasValues ? await describeEntries(reader, place, extra) : []),
  ];
}

/** Returns the id of a record that does not exist or that the caller may not read. */
async function loadName(ctx: Ctx, model: Model, id: unknown): Promise<string> {
  if (!isRecordId(id)) return toPlainText(formatValue(id));
  const loadNames = (ids: readonly number[]) => loadReadableNames(ctx, model.name, ids);
  const name = await getLoader(ctx, `held names ${model.name}`, loadNames, '').load(id);
  return toPlainText(name) || `#${id}`;
}

const isRecordId = (id: unknown): id is number => Number.isInteger(id) && Math.abs(id as number) <= INT_MAX;

const describeAll = async (parts: Promise<PartValue[]>[]): Promise<PartValue[]> =>
  (await Promise.all(parts)).flat();

const toPart = ({
  level,
  name,
  label = null,
  change = null,
  value = null,
  values = [],
}: Place): PartValue => ({ level, name, label, change, value, values });
