import { builder } from '../../src/engine/operation/builder.ts';
import { defineTypedShape } from '../../src/engine/operation/shape.ts';
import type { ImportMessage, ImportResult } from '../../src/engine/table/import.ts';
import type { PossibleFormats } from '../../src/engine/table/possible-formats.ts';

export const ExportedTable = defineTypedShape('ExportedTable', 'Records as a table.', {
  columns: { type: ['String'], description: 'Column paths, such as `country_id/id`.' },
  rows: { type: ['JSON'], description: 'Rows of the table, each a list of strings, numbers or booleans.' },
});

const Severity = builder.enumType('LoadSeverity', {
  description: 'Severity of an import message.',
  values: { ERROR: { value: 'error', description: 'The record cannot be imported.' } } as const,
});

const LoadMessage = builder.objectRef<ImportMessage>('LoadMessage').implement({
  description: 'A message about a record that cannot be imported.',
  fields: (t) => ({
    type: t.expose('type', { type: Severity, description: 'Severity of the message.' }),
    message: t.exposeString('message', { description: 'Description of the problem.' }),
    record: t.exposeInt('record', { description: 'Index of the record in the table, starting at 0.' }),
    firstRow: t.int({
      description: "Index of the record's first row, starting at 0.",
      resolve: ({ rows }) => rows.from,
    }),
    lastRow: t.int({
      description: "Index of the record's last row, starting at 0.",
      resolve: ({ rows }) => rows.to,
    }),
    field: t.exposeString('field', { nullable: true, description: 'Field that the message is about.' }),
    fieldLabel: t.exposeString('field_name', { nullable: true, description: 'Label of the field.' }),
    moreInfo: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Additional information for an import assistant, such as the possible values.',
      resolve: ({ moreinfo }) => moreinfo ?? null,
    }),
  }),
});

export const DecimalSeparatorEnum = builder.enumType('DecimalSeparator', {
  description: 'Character between the integer and the decimals of a number.',
  values: {
    POINT: { value: '.', description: 'A point, as in `1,500.50` or `1 500.50`.' },
    COMMA: { value: ',', description: 'A comma, as in `1.500,50` or `1 500,50`.' },
  } as const,
});

export const DateOrderEnum = builder.enumType('DateOrder', {
  description: 'Order of day and month in a numeric date.',
  values: {
    DMY: { description: 'The day is first, as in `31/12/2026`.' },
    MDY: { description: 'The month is first, as in `12/31/2026`.' },
  } as const,
});

export const LoadReport = builder.objectRef<ImportResult & Partial<PossibleFormats>>('LoadReport').implement({
  description: 'Result of an import. If there are messages, nothing was imported.',
  fields: (t) => ({
    ids: t.field({
      type: ['ID'],
      nullable: true,
      description: 'Ids of the records in the order of the table; null if nothing was imported.',
      resolve: ({ ids }) => ids || null,
    }),
    messages: t.expose('messages', { type: [LoadMessage], description: 'One message for each problem.' }),
    decimalSeparators: t.field({
      type: [DecimalSeparatorEnum],
      nullable: true,
      description:
        'With `test`, the decimal separators with which every number of the table is valid. Null if the ' +
        'numbers are the same with all of them.',
      resolve: ({ decimalSeparators }) => decimalSeparators ?? null,
    }),
    dateOrders: t.field({
      type: [DateOrderEnum],
      nullable: true,
      description:
        'With `test`, the orders in which every date of the table is valid. Null if the dates are the same ' +
        'in all of them.',
      resolve: ({ dateOrders }) => dateOrders ?? null,
    }),
    nextRow: t.exposeInt('nextrow', {
      description: 'Row at which to continue the import. 0 if the end of the table was reached.',
    }),
  }),
});
