import type { Ctx } from '../src/engine/ctx.ts';
import { defaultsOf } from '../src/engine/defaults.ts';
import { modelOf, read } from '../src/engine/records.ts';
import { verb } from '../src/engine/verb.ts';
import { create } from '../src/engine/write.ts';
import { errors } from '../src/errors.ts';

// What clients call around the creation of a record. Names and positions are those of classic RPC (Odoo 19).

verb('recordDefaultGet', {
  kind: 'query',
  address: '*/default_get',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'The values that the named fields of a new record start with. `fields_list` is their older name.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    fields: arg.stringList(),
    fields_list: arg.stringList(),
  }),
  run(ctx, { model, fields, fields_list: older }) {
    const names = fields ?? older;
    if (!names) throw errors.missingArgument('fields');
    return defaultsOf(ctx, model, names);
  },
});

verb('recordNameCreate', {
  kind: 'mutation',
  address: '*/name_create',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Creates a record from its name alone. Answers with its id and display name; false without a name field.',
  args: (arg) => ({ model: arg.string({ required: true }), name: arg.string({ required: true }) }),
  run: (ctx, { model, name }) => createByName(ctx, model, name),
});

async function createByName(ctx: Ctx, name: string, text: string): Promise<[number, string] | false> {
  const field = modelOf(ctx, name).fields.get('name');
  if (!field) return false;
  const [id] = await create(ctx, name, [{ name: text }]);
  const rows = (await read(ctx, name, [id!], ['display_name'])).value<{ display_name: string }[]>();
  return [id!, rows[0]!.display_name];
}
