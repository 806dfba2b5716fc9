import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { parseKeyKind, splitNames, type TableLinks } from './links.ts';
import type { TableRecord } from './table.ts';
import { InvalidCellError, parseCell } from './values.ts';

export interface ImportProblem {
  message: string;
  field?: Field;
  /** Model of the missing linked record. */
  target?: string;
}

interface RecordResult {
  /** Null for a new record. */
  id: number | null;
  values: Values;
  troubles: ImportProblem[];
}

/** Converts a table record to values, except for property columns, and collects its problems. */
export function buildRecordValues(
  ctx: Ctx,
  model: Model,
  record: TableRecord,
  links: TableLinks,
): RecordResult {
  const result: RecordResult = { id: findKnownId(model, record, links), values: {}, troubles: [] };
  if (record.dbid && result.id === null)
    result.troubles.push({ message: `No matching record found for database id '${record.dbid}'` });
  for (const [name, parts] of record.cells) {
    const field = model.fields.get(name);
    if (!field) continue;
    collectProblem(result, field, () => {
      result.values[name] = field.relation
        ? resolveLinkValue(field, parts, links)
        : parseCell(ctx, model, field, parts.get('') ?? '');
    });
  }
  for (const [name, lines] of record.lines) addLines(ctx, model.fields.get(name)!, lines, links, result);
  return result;
}

export function findKnownId(model: Model, { xmlid, dbid }: TableRecord, links: TableLinks): number | null {
  if (dbid) return links.find(model.name, '.id', dbid);
  return xmlid ? links.find(model.name, 'id', xmlid) : null;
}

class MissingTargetError extends InvalidCellError {}

function collectProblem({ troubles }: RecordResult, field: Field, fn: () => void): void {
  try {
    fn();
  } catch (error) {
    if (!(error instanceof InvalidCellError)) throw error;
    const target = error instanceof MissingTargetError ? { target: field.relation! } : {};
    troubles.push({ message: error.message, field, ...target });
  }
}

function resolveLinkValue(field: Field, parts: Map<string, string>, links: TableLinks): unknown {
  const filledParts = [...parts].filter(([, text]) => text !== '');
  if (filledParts.length > 1)
    throw new InvalidCellError(`several columns identify the record for the field '${field.label}'`);
  const ids = filledParts.flatMap(([rest, text]) =>
    splitNames(field, text).map((key) => resolveLink(field, rest, key, links)),
  );
  return field.type === 'many2many' ? [[6, 0, ids]] : (ids[0] ?? false);
}

const KEY_KIND_NAMES = { name: 'name', id: 'external id', '.id': 'database id' } as const;

function resolveLink(field: Field, rest: string, key: string, links: TableLinks): number {
  const kind = parseKeyKind(rest);
  if (!kind)
    throw new InvalidCellError(
      `a record of the field '${field.label}' is identified by its name or id, not by '${rest}'`,
    );
  if (kind === 'name' && links.isAmbiguous(field.relation!, key))
    throw new MissingTargetError(
      `Several records have the name '${key}' in the field '${field.label}'; use an id`,
    );
  const id = links.findOrPlace(field.relation!, kind, key);
  if (id === null)
    throw new MissingTargetError(
      `No matching record found for ${KEY_KIND_NAMES[kind]} '${key}' in the field '${field.label}'`,
    );
  return id;
}

function addLines(
  ctx: Ctx,
  field: Field,
  lines: TableRecord[],
  links: TableLinks,
  result: RecordResult,
): void {
  const target = getModel(ctx, field.relation!);
  const commands = lines.map((line) => {
    const { id, values, troubles } = buildRecordValues(ctx, target, line, links);
    result.troubles.push(...troubles.map((trouble) => ({ ...trouble, field })));
    return id === null
      ? [[0, 0, values]]
      : [[4, id], ...(Object.keys(values).length ? [[1, id, values]] : [])];
  });
  result.values[field.name] = commands.flat();
}
