import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { exportRows } from '../../src/engine/table/export.ts';
import { importRows } from '../../src/engine/table/import.ts';
import { verb } from '../../src/engine/verb/verb.ts';
import { errors } from '../../src/errors.ts';

// Records as a table of texts, such as a spreadsheet holds. Names and positions are those of classic RPC (Odoo 19).

verb('recordExport', {
  kind: 'query',
  address: '*/export_data',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'The given records as a table with the named columns: `name`, `country_id/id` (external id), `child_ids/name`. Needs the right to export.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.intList({ required: true }),
    fields_to_export: arg.stringList({ required: true }),
  }),
  async run(ctx, { model, ids, fields_to_export: fields }) {
    checkExport(ctx);
    return { datas: await exportRows(ctx, model, ids, fields) };
  },
});

verb('recordLoad', {
  kind: 'mutation',
  address: '*/load',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Stores a table of texts: records with a known `id` (external) or `.id` are written, the others created; all or nothing, with a message for each that cannot be.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    fields: arg.stringList({ required: true }),
    data: arg({ type: 'JSON', required: true }),
  }),
  run: (ctx, { model, fields, data }) => importRows(ctx, model, fields, data),
});

function checkExport(ctx: Ctx): void {
  const groups = ctx.principal?.groups;
  const may = ctx.sudo || groups?.has('base.group_allow_export') || groups?.has('base.group_system');
  if (!may) throw errors.user('You have no right to export records. Ask an administrator for it.');
}
