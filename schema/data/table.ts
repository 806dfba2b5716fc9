import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { exportRows } from '../../src/engine/table/export.ts';
import { importRows, testRows } from '../../src/engine/table/import.ts';
import { findPossibleFormats } from '../../src/engine/table/possible-formats.ts';
import { errors } from '../../src/errors.ts';
import { DateOrderEnum, DecimalSeparatorEnum, ExportedTable, LoadReport } from './table-types.ts';

// Records as a table of strings, as in a spreadsheet. Argument names and positions follow classic RPC (Odoo 19).

export const recordExport = defineOperation('recordExport', {
  effects: ['reads'],
  address: '*/export_data',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Exports records as a table. Columns may follow relations: `country_id/id` exports an external id, and ' +
    '`child_ids/name` exports names. Requires the export right.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    fieldsToExport: arg.stringList({ required: true, description: 'Columns of the table.' }),
  }),
  type: ExportedTable.ref,
  returns: facadeResult.json,
  async run(ctx, { model, ids, fieldsToExport: fields }) {
    checkCanExport(ctx);
    return { datas: await exportRows(ctx, model, ids, fields) };
  },
  answer: (_ctx, { datas }, { fieldsToExport }) => ({ columns: fieldsToExport, rows: datas }),
});

export const recordLoad = defineOperation('recordLoad', {
  effects: ['writes'],
  standsFor: ['create', 'update'],
  address: '*/load',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Imports a table of strings. Rows with an existing external id (`id`) or database id (`.id`) update a ' +
    'record; other rows create one. If any row is invalid, nothing is imported and every error is ' +
    'reported. With `test`, nothing is imported.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    fields: arg.stringList({
      required: true,
      description: 'Field of each column, as in an export; `id` is the external id.',
    }),
    data: arg({
      type: 'JSON',
      required: true,
      description:
        'Rows of the table, each a list of strings. Dates are `2026-01-31`, `31.01.2026`, or contain an ' +
        'English or German name of a month. Other formats require `dateOrder` or `decimalSeparator`.',
    }),
    test: arg.boolean({
      defaultValue: false,
      description: 'True to validate the table without importing it.',
    }),
    decimalSeparator: arg({
      type: DecimalSeparatorEnum,
      description:
        'Decimal separator of the numbers, which may then have thousands separators. By default, numbers ' +
        'have a decimal point and no thousands separators.',
    }),
    dateOrder: arg({
      type: DateOrderEnum,
      description: 'Order of day and month in dates with slashes or hyphens, which are otherwise invalid.',
    }),
  }),
  type: LoadReport,
  returns: facadeResult.json,
  run: (ctx, { model, fields, data, test, ...format }) =>
    (test ? testRows : importRows)(ctx, model, fields, data, format),
  answer: async (ctx, report, { model, fields, data, test }) =>
    test ? { ...report, ...(await findPossibleFormats(ctx, model, fields, data as unknown[][])) } : report,
});

function checkCanExport(ctx: Ctx): void {
  const groups = ctx.principal?.groups;
  const canExport = ctx.sudo || groups?.has('base.group_allow_export') || groups?.has('base.group_system');
  if (!canExport)
    throw errors.user('You are not allowed to export records. Ask an administrator for the export right.');
}
