import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** A state, province or territory. `xmlid` is its identifier in the module `base`. */
interface CountryStateRow {
  country: string;
  code: string;
  name: string;
  xmlid: string;
}

/** States defined by the United States Postal Service that are not subdivisions in ISO 3166-2. */
const POSTAL_TERRITORIES: Omit<CountryStateRow, 'xmlid'>[] = [
  ['AA', 'Armed Forces Americas'],
  ['AE', 'Armed Forces Europe'],
  ['AP', 'Armed Forces Pacific'],
  ['FM', 'Federated States of Micronesia'],
  ['MH', 'Marshall Islands'],
  ['PW', 'Palau'],
].map(([code, name]) => ({ country: 'US', code: code!, name: name! }));

/** Notes about languages and disputed territories that ISO 3166-2 appends to some names. They are removed. */
const NAME_REMARK = / \((?:de, lb|EH(?:-partial)?)\)$/;

/** Odoo's external identifiers of these states contain their position in the list: `base.state_us_5` is California. */
const NUMBERED_STATES: Record<string, string[]> = {
  AU: 'ACT NSW NT QLD SA TAS VIC WA'.split(' '),
  US: `AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MT NE NV NH NJ NM NY NC ND OH OK OR MD MA MI MN MS
    MO PA RI SC SD TN TX UT VT VA WA WV WI WY`.split(/\s+/),
};

let cachedStates: CountryStateRow[] | undefined;

/** Returns the smallest ISO 3166-2 subdivisions of every country, such as Italy's provinces instead of its regions. */
export async function loadCountryStates(): Promise<CountryStateRow[]> {
  cachedStates ??= await readStates();
  return cachedStates;
}

async function readStates(): Promise<CountryStateRow[]> {
  const { iso31662 } = await import('iso-3166');
  const divided = new Set(iso31662.map(({ parent }) => parent));
  const smallest = iso31662.filter(({ code }) => !divided.has(code));
  const rows = smallest.map(({ code, name }) => {
    const [country, ...stateCode] = code.split('-');
    return { country: country!, code: stateCode.join('-'), name: name.replace(NAME_REMARK, '') };
  });
  return [...rows, ...POSTAL_TERRITORIES].map((row) => ({ ...row, xmlid: buildStateXmlid(row) }));
}

function buildStateXmlid({ country, code }: Pick<CountryStateRow, 'country' | 'code'>): string {
  const index = NUMBERED_STATES[country]?.indexOf(code) ?? -1;
  return `state_${country}_${index < 0 ? code : index + 1}`.toLowerCase();
}

export async function addStates(ctx: Ctx): Promise<void> {
  const rows = await loadCountryStates();
  const ids = await allocateIds(ctx, 'res_country_state', rows.length);
  const list = JSON.stringify(rows.map((row, index) => ({ id: ids[index], ...row })));
  const { id: workspace } = ctx.workspace;
  await ctx.db.rows(
    sql`insert into res_country_state (workspace_id, id, country_id, code, name)
     select ${workspace}, x.id, c.id, x.code, x.name
     from jsonb_to_recordset(${list}::jsonb) x(id int, country text, code text, name text)
     join res_country c on c.workspace_id = ${workspace} and c.code = x.country
     on conflict (workspace_id, country_id, code) do nothing`,
  );
}

/** @param names identifiers in the module `base` */
export async function findStateIds(ctx: Ctx, names: string[]): Promise<Map<string, number>> {
  const stateNames = new Set(names);
  const rows = (await loadCountryStates()).filter(({ xmlid }) => stateNames.has(xmlid));
  const states = await ctx.db.rows<{ id: number; xmlid: string }>(
    sql`select s.id, x.xmlid
     from unnest(${rows.map(({ country }) => country)}::text[], ${rows.map(({ code }) => code)}::text[],
       ${rows.map(({ xmlid }) => xmlid)}::text[]) x(country, code, xmlid)
     join res_country c on c.workspace_id = ${ctx.workspace.id} and c.code = x.country
     join res_country_state s on s.workspace_id = ${ctx.workspace.id} and s.country_id = c.id and s.code = x.code`,
  );
  return new Map(states.map(({ id, xmlid }) => [xmlid, id]));
}

/** Returns identifiers in the module `base`. Omits states that `iso-3166` does not contain. */
export async function findStateNames(ctx: Ctx, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.rows<{ id: number; country: string; code: string }>(
    sql`select s.id, c.code as country, s.code from res_country_state s
     join res_country c on c.workspace_id = ${ctx.workspace.id} and c.id = s.country_id
     where s.workspace_id = ${ctx.workspace.id} and s.id = any(${ids})`,
  );
  const all = new Set((await loadCountryStates()).map(({ xmlid }) => xmlid));
  return new Map(
    rows.map(({ id, ...row }) => [id, buildStateXmlid(row)] as const).filter(([, name]) => all.has(name)),
  );
}
