import { forEachYielding } from '../../loop/yield.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isNumberField } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { DayOrder, DecimalMark } from '../model/principal.ts';
import { parseCellDate } from './dates.ts';
import { parsePaths } from './field-path.ts';
import { parseCellNumber } from './numbers.ts';

const DECIMAL_SEPARATORS: DecimalMark[] = ['.', ','];
const DATE_ORDERS: DayOrder[] = ['DMY', 'MDY'];

/** Valid formats of a table. Null if all formats give the cells the same values. */
export interface PossibleFormats {
  decimalSeparators: DecimalMark[] | null;
  dateOrders: DayOrder[] | null;
}

/** @throws BAD_VALUE for a column that is not a field */
export async function findPossibleFormats(
  ctx: Ctx,
  name: string,
  fields: string[],
  rows: unknown[][],
): Promise<PossibleFormats> {
  const model = getModel(ctx, name);
  const columns = parsePaths(ctx, model, fields).map((path) => findColumnField(ctx, model, path));
  const listTexts = (matches: (field: Field) => boolean): string[] =>
    columns.flatMap((field, column) =>
      field && matches(field) ? rows.flatMap((row) => (row[column] ? [String(row[column])] : [])) : [],
    );
  const dates = listTexts(({ type }) => type === 'date' || type === 'datetime');
  return {
    decimalSeparators: await selectFormats(listTexts(isNumberField), DECIMAL_SEPARATORS, parseCellNumber),
    dateOrders: await selectFormats(
      dates,
      DATE_ORDERS,
      (text, order) => parseCellDate(text, order)?.wallTime,
    ),
  };
}

function findColumnField(ctx: Ctx, model: Model, [name, ...rest]: string[]): Field | undefined {
  const field = model.fields.get(name!);
  return rest.length > 0 && field?.relation
    ? findColumnField(ctx, getModel(ctx, field.relation), rest)
    : field;
}

/** Selects the formats that suit every text. Ignores texts that suit no format. */
async function selectFormats<Format>(
  texts: string[],
  formats: Format[],
  parse: (text: string, format: Format) => number | string | undefined,
): Promise<Format[] | null> {
  let possible: Format[] | null = null;
  await forEachYielding(texts, (text) => {
    const readings = formats.map((format) => parse(text, format));
    if (readings.every((reading) => Object.is(reading, readings[0]))) return;
    possible = (possible ?? formats).filter((format) => {
      const reading = readings[formats.indexOf(format)];
      return reading !== undefined && !Number.isNaN(reading);
    });
  });
  return possible;
}
