import { formatValue } from '../../json.ts';
import { mapYielding } from '../../loop/yield.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { isListField } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { type FieldPath, isKeyColumn } from './field-path.ts';

export interface TableRecord {
  /** First and last row of the record, counted from 0. */
  from: number;
  to: number;
  /** Strings by field, and then by the rest of the column's path ('' for the field itself). */
  cells: Map<string, Map<string, string>>;
  /** External id and database id. Empty if not given. */
  xmlid: string;
  dbid: string;
  lines: Map<string, TableRecord[]>;
}

interface TextRow {
  at: number;
  texts: string[];
}

/** Groups table rows into records. A row with values only in line columns belongs to the previous record. */
export async function parseTableRecords(
  ctx: Ctx,
  model: Model,
  paths: FieldPath[],
  data: unknown[][],
): Promise<TableRecord[]> {
  const rows = await mapYielding(data, (row, index) => ({
    at: index,
    texts: paths.map((_, column) => toCellText(row[column])),
  }));
  const groups = groupRows(model, paths, rows);
  return mapYielding(groups, (group) => buildTableRecord(ctx, model, paths, group));
}

const toCellText = (value: unknown): string =>
  value === null || value === undefined || value === false ? '' : formatValue(value);

function groupRows(model: Model, paths: FieldPath[], rows: TextRow[]): TextRow[][] {
  const isLine = paths.map(([name]) => isLineColumn(model, name!));
  const startsRecord = (row: TextRow): boolean =>
    row.texts.some((text, column) => text !== '' && !isLine[column]);
  const filledRows = rows.filter((row) => row.texts.some((text) => text !== ''));
  const groups: TextRow[][] = [];
  for (const row of filledRows) {
    if (groups.length === 0 || startsRecord(row)) groups.push([row]);
    else groups.at(-1)!.push(row);
  }
  return groups;
}

const isLineColumn = (model: Model, name: string): boolean => model.fields.get(name)?.type === 'one2many';

function buildTableRecord(ctx: Ctx, model: Model, paths: FieldPath[], rows: TextRow[]): TableRecord {
  const first = rows[0]!;
  const record: TableRecord = {
    from: first.at,
    to: rows.at(-1)!.at,
    cells: new Map(),
    xmlid: '',
    dbid: '',
    lines: new Map(),
  };
  paths.forEach(([name, ...rest], column) => {
    const text = first.texts[column]!;
    if (isKeyColumn(name)) record[name === 'id' ? 'xmlid' : 'dbid'] = text;
    else if (!isLineColumn(model, name!)) putText(record, name!, rest.join('/'), text);
  });
  for (const name of new Set(paths.map(([name]) => name!))) {
    const field = model.fields.get(name);
    if (field && isListField(field) && isLineColumn(model, name))
      record.lines.set(name, buildLines(ctx, getModel(ctx, field.relation!), name, paths, rows));
  }
  return record;
}

function putText({ cells }: TableRecord, name: string, rest: string, text: string): void {
  const texts = cells.get(name) ?? new Map<string, string>();
  cells.set(name, texts.set(rest, text));
}

function buildLines(
  ctx: Ctx,
  target: Model,
  name: string,
  paths: FieldPath[],
  rows: TextRow[],
): TableRecord[] {
  const columns = paths.flatMap((path, column) => (path[0] === name ? [column] : []));
  const inner = columns.map((column) =>
    paths[column]!.length > 1 ? paths[column]!.slice(1) : ['display_name'],
  );
  const texts = rows.map(({ at, texts: all }) => ({ at, texts: columns.map((column) => all[column]!) }));
  return groupRows(target, inner, texts).map((group) => buildTableRecord(ctx, target, inner, group));
}
