import { createHash } from 'node:crypto';
import type { Database, Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { selectionText } from '../domain/selection-text.ts';
import { type Field, isStored } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';

/**
 * Brings ir_model_stock and ir_field_stock, the models and fields of code as records, to what the registry says. Ids stay
 * what they were. Does nothing when the code is the one that wrote them last; several processes may call it together.
 * @returns names of the models that are new
 */
export async function syncStock(db: Database, registry: Registry): Promise<string[]> {
  const models = [...registry.values()].map(modelRow);
  const fields = [...registry.values()].flatMap((model) =>
    [...model.fields.values()].map((field) => fieldRow(model, field)),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify([models, fields]))
    .digest('hex');
  const [kept] = await db.rows<{ value: string }>(sql`select value from installation where name = 'stock'`);
  if (kept?.value === hash) return [];
  return db.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(hashtext('stock'))`);
    const added = await syncModels(tx, models);
    await syncFields(tx, fields);
    await tx.rows(
      sql`insert into installation (name, value) values ('stock', ${hash}) on conflict (name) do update set value = excluded.value`,
    );
    return added;
  });
}

const modelRow = (model: Model) => ({
  name: model.label,
  model: model.name,
  order: model.order,
  is_mail_thread: model.options.mixins?.includes('mail.thread') ?? false,
  is_mail_activity: model.options.mixins?.includes('mail.activity') ?? false,
  modules: moduleOf(model.name),
});

/** The app a model belongs to, by the first word of its name. */
export const moduleOf = (model: string): string => MODULES[model.split('.')[0]!] ?? 'base';

const MODULES: Record<string, string> = {
  crm: 'crm',
  utm: 'crm',
  project: 'project',
  product: 'product',
  uom: 'product',
  sale: 'sale',
  account: 'sale',
  mail: 'mail',
  svc: 'mail',
};

const fieldRow = (model: Model, field: Field) => ({
  name: field.name,
  model: model.name,
  field_description: field.label,
  help: field.help || null,
  ttype: field.type === 'strings' ? 'json' : field.type,
  relation: field.relation ?? null,
  relation_field: field.inverse ?? null,
  relation_table: field.join?.table ?? null,
  column1: field.join?.self ?? null,
  column2: field.join?.other ?? null,
  currency_field: field.currency ?? null,
  required: field.required,
  readonly: field.readonly,
  index: false,
  store: isStored(field),
  copied: field.copied,
  translate: field.translated ? 'standard' : null,
  on_delete: field.type === 'many2one' ? (field.onDelete ?? 'restrict') : null,
  selection: field.selection ? selectionText(field.selection) : null,
  related: field.related?.join('.') ?? null,
  modules: moduleOf(model.name),
});

async function syncModels(db: Db, rows: object[]): Promise<string[]> {
  await db.rows(
    sql`delete from ir_model_stock where not model = any(select r->>'model' from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) r)`,
  );
  const made = await db.rows<{ model: string; added: boolean }>(
    sql`insert into ir_model_stock (name, model, "order", is_mail_thread, is_mail_activity, modules)
     select name, model, "order", is_mail_thread, is_mail_activity, modules from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
       as r(name text, model text, "order" text, is_mail_thread boolean, is_mail_activity boolean, modules text)
     on conflict (model) do update set name = excluded.name, "order" = excluded."order", modules = excluded.modules,
       is_mail_thread = excluded.is_mail_thread, is_mail_activity = excluded.is_mail_activity
     returning model, (xmax = 0) as added`,
  );
  return made.filter((row) => row.added).map((row) => row.model);
}

const COLUMNS = [
  'name',
  'model',
  'field_description',
  'help',
  'ttype',
  'relation',
  'relation_field',
  'relation_table',
  'column1',
  'column2',
  'currency_field',
  'required',
  'readonly',
  'index',
  'store',
  'copied',
  'translate',
  'on_delete',
  'selection',
  'related',
  'modules',
];
const FLAGS = new Set(['required', 'readonly', 'index', 'store', 'copied']);

async function syncFields(db: Db, rows: object[]): Promise<void> {
  const names = COLUMNS.map((name) => `"${name}"`).join(', ');
  const types = COLUMNS.map((name) => `"${name}" ${FLAGS.has(name) ? 'boolean' : 'text'}`).join(', ');
  const sets = COLUMNS.slice(2).map((name) => `"${name}" = excluded."${name}"`);
  await db.rows(
    sql`delete from ir_field_stock f where not exists (
       select 1 from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) r where r->>'model' = f.model and r->>'name' = f.name)`,
  );
  await db.rows(
    `insert into ir_field_stock (${names}, model_id)
     select ${COLUMNS.map((name) => `r."${name}"`).join(', ')}, m.id
     from jsonb_to_recordset($1::jsonb) as r(${types}) join ir_model_stock m on m.model = r.model
     on conflict (model, name) do update set ${sets.join(', ')}, model_id = excluded.model_id`,
    [JSON.stringify(rows)],
  );
}
