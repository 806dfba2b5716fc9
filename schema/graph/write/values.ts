import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Model, Registry, Values } from '../../../src/engine/model/model.ts';
import { errors, truncateJson } from '../../../src/errors.ts';
import type { FieldDef } from '../plan/definition.ts';
import { buildInputMap } from '../plan/input-map.ts';
import type { InputKind } from '../plan/inputs.ts';
import { getFieldName } from '../plan/names.ts';
import { getKeyField, parseRecordId } from '../plan/values.ts';
import { findRecordIdsByKey } from './ids.ts';
import type { LineRecords } from './lines.ts';
import type { InputUpload } from './uploads.ts';

// Converts typed inputs to record engine values: model field names, numeric ids and x2many commands.

/** Maximum number of inputs in one mutation, including nested ones. */
export const MAX_WRITE_INPUTS = 2_000;
export const MAX_WRITE_DEPTH = 5;

type InputRow = Record<string, unknown>;

export interface EngineValues {
  values: Values[];
  lines: LineRecords[];
  uploads: InputUpload[];
}

/**
 * @param argument object with the argument's name and value: `input`, or `inputs` for a list
 * @throws BAD_VALUE for an invalid id, BAD_REQUEST if inputs are nested too deeply or too many
 */
export async function toEngineValues(
  ctx: Ctx,
  model: Model,
  operation: InputKind,
  argument: Record<string, unknown>,
): Promise<EngineValues> {
  const [[name, inputValue]] = Object.entries(argument) as [[string, unknown]];
  const convert = (ids: KnownIds) => {
    const converter = new InputConverter(ctx.catalog.registry, ids);
    const inputs = Array.isArray(inputValue) ? inputValue : [inputValue];
    const values = inputs.map((input, index) =>
      converter.record(model, operation, input, Array.isArray(inputValue) ? [name, index] : [name]),
    );
    const { lines, uploads, requestedKeys } = converter;
    return { values, lines, uploads, requestedKeys };
  };
  const converted = convert(new Map());
  if (converted.requestedKeys.size === 0) return converted;
  // All public ids are looked up together, and the inputs are then converted again.
  const knownIds: KnownIds = new Map();
  for (const [target, ids] of converted.requestedKeys)
    knownIds.set(target, await findRecordIdsByKey(ctx, target, [...ids]));
  return convert(knownIds);
}

/** Numeric ids by model and public id. A model without an entry has not been looked up yet. */
type KnownIds = Map<Model, Map<string, number>>;

type ArgumentPath = (string | number)[];

/** `owner` is the id of the record that the input changes, if the record is in a list. */
interface InputPosition {
  owner: number | null;
  depth: number;
}

const TOP_POSITION: InputPosition = { owner: null, depth: 0 };

class InputConverter {
  readonly requestedKeys = new Map<Model, Set<string>>();
  /** Referenced records that must already be in their lists before the change. */
  readonly lines: LineRecords[] = [];
  readonly uploads: InputUpload[] = [];
  readonly #registry: Registry;
  readonly #known: KnownIds;
  #records = 0;

  constructor(registry: Registry, knownIds: KnownIds) {
    this.#registry = registry;
    this.#known = knownIds;
  }

  record(
    model: Model,
    operation: InputKind,
    input: InputRow,
    path: ArgumentPath,
    { owner, depth }: InputPosition = TOP_POSITION,
  ): Values {
    if (depth > MAX_WRITE_DEPTH)
      throw errors.badRequest(`Inputs may be nested at most ${MAX_WRITE_DEPTH} levels deep.`);
    if (++this.#records > MAX_WRITE_INPUTS)
      throw errors.badRequest(
        `A mutation may have at most ${MAX_WRITE_INPUTS} inputs, including nested ones.`,
      );
    const fields = buildInputMap(this.#registry, model, operation);
    const values: Values = {};
    for (const [name, value] of Object.entries(input)) {
      const def = fields.get(name);
      if (!def) continue;
      const fieldPath = [...path, name];
      if (def.isUpload) {
        const upload = value as string | null;
        if (upload !== null)
          this.uploads.push(parseUpload(model, def, input, { upload, at: fieldPath, values }));
        else if (!(getFieldName(model, def.field!) in input)) values[def.field!.name] = false;
        continue;
      }
      values[def.field!.name] = def.links
        ? this.#commands(def, value as InputRow | null, fieldPath, { owner, depth })
        : this.#value(def.field!, value, fieldPath);
    }
    return values;
  }

  #value(field: Field, value: unknown, path: ArgumentPath): unknown {
    if (value === null || value === undefined) return false;
    switch (field.type) {
      case 'many2one':
        return this.#id(this.#registry.get(field.relation!), value as string, path);
      case 'many2one_reference':
        return this.#id(undefined, value as string, path);
      case 'datetime':
        return toEngineTime(value as string);
      case 'binary':
        return (value as Buffer).toString('base64');
      default:
        return value;
    }
  }

  /** @param target undefined for any model whose records have numeric ids */
  #id(target: Model | undefined, id: string, path: ArgumentPath): number {
    const isKeyed = target !== undefined && getKeyField(target) !== 'id';
    const number = isKeyed ? this.#numberOf(target, id) : parseRecordId(id, target);
    if (number === null) {
      const argument = path.join('.');
      const problem = `${truncateJson(id)} is the id of no ${target ? `${target.name} ` : ''}record`;
      throw errors.wrongArgument(argument, problem).withDetails({ model: target?.name, value: id });
    }
    return number;
  }

  #numberOf(target: Model, id: string): number | null {
    const idsByKey = this.#known.get(target);
    if (idsByKey) return idsByKey.get(id) ?? null;
    const ids = this.requestedKeys.get(target) ?? new Set();
    this.requestedKeys.set(target, ids.add(id));
    return 0;
  }

  /** Builds x2many commands in the order of the input's fields. */
  #commands(
    { field, links }: FieldDef,
    input: InputRow | null,
    path: ArgumentPath,
    { owner, depth }: InputPosition,
  ): unknown[] {
    const target = this.#registry.get(field!.relation!)!;
    if (input === null) {
      if (links === 'links') return [[6, 0, []]];
      throw errors.badRequest(`${path.join('.')} cannot be null. Specify the records to delete or unlink.`);
    }
    const ids = (name: string) =>
      ((input[name] ?? []) as string[]).map((id, index) => this.#id(target, id, [...path, name, index]));
    const inputs = (name: string) => (input[name] ?? []) as InputRow[];
    const convertNested = (operation: InputKind, item: InputRow, at: ArgumentPath, line: number | null) =>
      this.record(target, operation, item, [...path, ...at], { owner: line, depth: depth + 1 });
    const [set, connect, disconnect, deletedIds] = [
      ids('set'),
      ids('connect'),
      ids('disconnect'),
      ids('delete'),
    ];
    const changedIds = inputs('update').map(({ id }, index) =>
      this.#id(target, id as string, [...path, 'update', index, 'id']),
    );
    const linkedIds = new Set([...set, ...connect]);
    const claim = (name: string, index: number, id: number, argumentPath: ArgumentPath = []) =>
      linkedIds.has(id) ? [] : [{ id, path: [...path, name, index, ...argumentPath].join('.') }];
    const claims = [
      // Disconnecting is checked only in one2many lists, because removing a nonexistent link changes no record.
      ...(links === 'lines' ? disconnect : []).flatMap((id, index) => claim('disconnect', index, id)),
      ...deletedIds.flatMap((id, index) => claim('delete', index, id)),
      ...changedIds.flatMap((id, index) => claim('update', index, id, ['id'])),
    ];
    if (claims.length > 0) this.lines.push({ field: field!, target, owner, claims });
    return [
      ...(input.set ? [[6, 0, set]] : []),
      ...disconnect.map((id) => [3, id]),
      ...connect.map((id) => [4, id]),
      ...deletedIds.map((id) => [2, id]),
      ...inputs('update').map(({ input: changes }, index) => [
        1,
        changedIds[index],
        convertNested('update', changes as InputRow, ['update', index, 'input'], changedIds[index]!),
      ]),
      ...inputs('create').map((input, index) => [
        0,
        0,
        convertNested('create', input, ['create', index], null),
      ]),
    ];
  }
}

function parseUpload(
  model: Model,
  { field }: FieldDef,
  input: InputRow,
  { upload, at, values }: { upload: string; at: ArgumentPath; values: Values },
): InputUpload {
  const path = at.join('.');
  if ((input[getFieldName(model, field!)] ?? null) !== null)
    throw errors.wrongArgument(path, 'cannot be combined with the content');
  return { id: upload, path, values, name: field!.name };
}

const toEngineTime = (iso: string): string => iso.replace('T', ' ').replace(/(\.000)?Z$/, '');
