import { sql } from '../../db/sql.ts';
import { forEachYielding } from '../../loop/yield.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';

/** Appends a number to each string that is already in use in a unique field. Modifies `list`. */
export async function makeTextsUnique(
  ctx: Ctx,
  model: Model,
  list: Values[],
  fields: Field[],
): Promise<void> {
  const texts = fields.filter((field) => field.type === 'char' && !field.custom);
  if (texts.length === 0 || model.customId !== null) return;
  const unique = await loadUniqueColumns(ctx, model);
  for (const field of texts) if (unique.has(field.name)) await makeTextUnique(ctx, model, list, field);
}

/** Loads the columns that belong to a unique index, alone or with other columns. */
async function loadUniqueColumns(ctx: Ctx, model: Model): Promise<Set<string>> {
  const rows = await ctx.db.rows<{ name: string }>(
    sql`select distinct a.attname::text as name
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = ${model.table}::regclass and i.indisunique and not i.indisprimary`,
  );
  return new Set(rows.map((row) => row.name));
}

async function makeTextUnique(ctx: Ctx, model: Model, list: Values[], field: Field): Promise<void> {
  const texts = list.map((values) => values[field.name]).filter((text) => typeof text === 'string');
  const stems = [...new Set(texts.map(getStem))];
  const column = sql`t.${sql.id(field.name)}`;
  const rows = await ctx.db.rows<{ text: string }>(
    sql`select ${column} as text from ${sql.id(model.table)} t where t.workspace_id = ${ctx.workspace.id}
     and exists (select 1 from unnest(${stems}::text[]) s where starts_with(lower(${column}), lower(s)))`,
  );
  const usedTexts = { texts: new Set(rows.map((row) => row.text.toLowerCase())), upTo: new Map() };
  await forEachYielding(list, (values) => {
    const text = values[field.name];
    if (typeof text === 'string') values[field.name] = reserveFreeText(text, usedTexts);
  });
}

const getStem = (text: string): string => text.replace(/ \(copy(?: \d+)?\)$/, '');

interface TakenTexts {
  texts: Set<string>;
  /** Next number to try, by stem in lower case. */
  upTo: Map<string, number>;
}

/** Returns and reserves the first free string of `x`, `x (copy)`, `x (copy 2)`… */
function reserveFreeText(text: string, { texts, upTo }: TakenTexts): string {
  const stem = getStem(text);
  const key = stem.toLowerCase();
  let candidate = text;
  let n = upTo.get(key) ?? 1;
  for (; texts.has(candidate.toLowerCase()); n++) candidate = `${stem} (copy${n > 1 ? ` ${n}` : ''})`;
  texts.add(candidate.toLowerCase());
  upTo.set(key, n);
  return candidate;
}
