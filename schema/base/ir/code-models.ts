import { createHash } from 'node:crypto';
import type { Db } from '../../../src/db/db.ts';
import { type Database, runWithRetries } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { isRequired } from '../../../src/engine/describe/field-info.ts';
import { formatSelection } from '../../../src/engine/domain/selection-text.ts';
import { type Field, isReturnedByDefault, isStoredField } from '../../../src/engine/model/field.ts';
import { listMixinFlags } from '../../../src/engine/model/mixins.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';

/** Key in `installation` of the state that was written last. */
const INSTALLATION_KEY = 'stock';

/** `migration` is the latest migration in the code that wrote the state. */
interface WrittenModels {
  hash: string;
  migration: string;
  /** Incremented when models or fields change. */
  version: number;
}

/**
 * Syncs ir_model_stock and ir_field_stock, which list the built-in models and fields, with the registry. Ids are
 * stable. Does nothing if the tables are up to date, or if newer code has updated them while this older version is
 * still running. Several processes may call this function concurrently.
 * @param migration name of the code's latest migration
 * @returns the version that last added models
 */
export async function recordModels(db: Database, registry: Registry, migration: string): Promise<number> {
  const models = [...registry.values()].map(buildModelRow);
  const fields = [...registry.values()].flatMap((model) =>
    [...model.fields.values()].filter(isReturnedByDefault).map((field) => buildFieldRow(model, field)),
  );
  const hash = computeRowsHash([...models, ...fields]);
  const isUpToDate = (last: WrittenModels) => last.hash === hash || last.migration > migration;
  if (!isUpToDate(await loadLastWritten(db)))
    await runWithRetries(() =>
      db.transaction(async (tx) => {
        await tx.rows(sql`select pg_advisory_xact_lock(hashtext(${INSTALLATION_KEY}))`);
        const last = await loadLastWritten(tx);
        if (isUpToDate(last)) return;
        const version = last.version + 1;
        await writeModels(tx, models, version);
        await writeFields(tx, fields);
        await tx.rows(
          sql`insert into installation (name, value) values (${INSTALLATION_KEY},
            ${JSON.stringify({ hash, migration, version })})
           on conflict (name) do update set value = excluded.value`,
        );
      }),
    );
  return db.value<number>(
    sql`select coalesce(max(since), 0) from ir_model_stock where model = any(${models.map((m) => m.model)})`,
  );
}

/** Ignores the order of rows, because the registry's order depends on the process's imports. */
const computeRowsHash = (rows: object[]): string =>
  createHash('sha256')
    .update(
      rows
        .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
        .sort()
        .join(),
    )
    .digest('hex');

async function loadLastWritten(db: Db): Promise<WrittenModels> {
  const [row] = await db.rows<{ value: string }>(
    sql`select value from installation where name = ${INSTALLATION_KEY}`,
  );
  return row ? JSON.parse(row.value) : { hash: '', migration: '', version: 0 };
}

const buildModelRow = (model: Model) => ({
  name: model.label,
  model: model.name,
  order: model.order,
  ...Object.fromEntries(
    listMixinFlags().map(({ flag, mixin }) => [flag, model.options.mixins?.includes(mixin) ?? false]),
  ),
  modules: model.module,
});

type ColumnTypes = Record<string, keyof typeof COLUMN_TYPES>;

const COLUMN_TYPES = { text: sql`text`, boolean: sql`boolean` };

const joinColumnNames = (columns: ColumnTypes): Sql =>
  sql.join(Object.keys(columns).map((name) => sql.id(name)));

const joinTypedColumns = (columns: ColumnTypes): Sql =>
  sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.id(name)} ${COLUMN_TYPES[type]}`));

const buildUpdates = (columns: ColumnTypes, key: readonly string[]): Sql =>
  sql.join(
    Object.keys(columns)
      .filter((name) => !key.includes(name))
      .map((name) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`),
  );

async function writeModels(db: Db, rows: object[], version: number): Promise<void> {
  const json = sql`${JSON.stringify(rows)}::jsonb`;
  const columns: ColumnTypes = { name: 'text', model: 'text', order: 'text', modules: 'text' };
  for (const { flag } of listMixinFlags()) columns[flag] = 'boolean';
  await db.rows(
    sql`delete from ir_model_stock where not model = any(select r->>'model' from jsonb_array_elements(${json}) r)`,
  );
  await db.rows(
    sql`insert into ir_model_stock (${joinColumnNames(columns)}, since)
     select ${joinColumnNames(columns)}, ${version} from jsonb_to_recordset(${json}) as r(${joinTypedColumns(columns)})
     on conflict (model) do update set ${buildUpdates(columns, ['model'])}`,
  );
}

/** Columns of ir_field_stock, with the value for a field. */
const FIELD_VALUES: Record<string, [keyof typeof COLUMN_TYPES, (field: Field, model: Model) => unknown]> = {
  name: ['text', (field) => field.name],
  model: ['text', (_field, model) => model.name],
  field_description: ['text', (field) => field.label],
  help: ['text', (field) => field.help || null],
  ttype: ['text', (field) => (field.type === 'strings' ? 'json' : field.type)],
  relation: ['text', (field) => field.relation ?? null],
  relation_field: ['text', (field) => field.inverse ?? null],
  relation_table: ['text', (field) => field.join?.table ?? null],
  column1: ['text', (field) => field.join?.self ?? null],
  column2: ['text', (field) => field.join?.other ?? null],
  currency_field: ['text', (field) => field.currency ?? null],
  required: ['boolean', isRequired],
  company_dependent: ['boolean', (field) => field.ofCompanies ?? false],
  readonly: ['boolean', (field) => field.readonly],
  index: ['boolean', () => false],
  store: ['boolean', isStoredField],
  copied: ['boolean', (field) => field.copied],
  translate: ['text', (field) => (field.translated ? 'standard' : null)],
  on_delete: ['text', (field) => (field.type === 'many2one' ? (field.onDelete ?? 'restrict') : null)],
  selection: ['text', (field) => (field.selection ? formatSelection(field.selection) : null)],
  related: ['text', (field) => field.related?.join('.') ?? null],
  modules: ['text', (_field, model) => model.module],
};

const FIELD_COLUMNS: ColumnTypes = Object.fromEntries(
  Object.entries(FIELD_VALUES).map(([name, [type]]) => [name, type]),
);

const buildFieldRow = (model: Model, field: Field) =>
  Object.fromEntries(
    Object.entries(FIELD_VALUES).map(([name, [, getValue]]) => [name, getValue(field, model)]),
  );

async function writeFields(db: Db, rows: object[]): Promise<void> {
  const json = sql`${JSON.stringify(rows)}::jsonb`;
  await db.rows(
    sql`delete from ir_field_stock f where not exists (
       select 1 from jsonb_array_elements(${json}) r where r->>'model' = f.model and r->>'name' = f.name)`,
  );
  await db.rows(
    sql`insert into ir_field_stock (${joinColumnNames(FIELD_COLUMNS)}, model_id)
     select ${sql.join(Object.keys(FIELD_COLUMNS).map((name) => sql.id('r', name)))}, m.id
     from jsonb_to_recordset(${json}) as r(${joinTypedColumns(FIELD_COLUMNS)})
       join ir_model_stock m on m.model = r.model
     on conflict (model, name) do update
       set ${buildUpdates(FIELD_COLUMNS, ['model', 'name'])}, model_id = excluded.model_id`,
  );
}
