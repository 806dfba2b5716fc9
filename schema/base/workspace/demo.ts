import { apps } from '../../../apps/index.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { search } from '../../../src/engine/read/records.ts';
import { addRecords } from '../../../src/engine/write/first-records.ts';
import { create } from '../../../src/engine/write/write.ts';
import { loadAppStates } from '../apps/module-rows.ts';

const COMPANIES: [name: string, city: string, country: string, people: string[]][] = [
  ['Northwind Bakery', 'Bergen', 'NO', ['Ingrid Solheim', 'Aksel Dahl']],
  ['Lumen Optics', 'Jena', 'DE', ['Clara Vogt', 'Jonas Reuter', 'Mira Held']],
  ['Porto Cork Works', 'Porto', 'PT', ['Rui Teixeira', 'Beatriz Lopes']],
  ['Harbour & Sons', 'Cork', 'IE', ['Aoife Byrne']],
  ['Atelier Verre', 'Lyon', 'FR', ['Camille Roux', 'Hugo Marchand']],
  ['Kestrel Maps', 'Leeds', 'GB', ['Priya Nair', 'Tom Ashworth', 'Ewa Nowak']],
  ['Tessera Studio', 'Ravenna', 'IT', ['Giulia Conti']],
  ['Blue Mill Paper', 'Gent', 'BE', ['Lotte Claes', 'Wout Peeters']],
];

const toSlug = (name: string): string => name.toLowerCase().replace(/[^a-z]+/g, '-');

/**
 * Creates demo records for every installed app. Adds only missing records, so it can run repeatedly.
 * @returns the number of added records by model
 */
export async function addDemoData(ctx: Ctx): Promise<Record<string, number>> {
  const before = await loadDemoNames(ctx);
  const contacts = await addDemoContacts(ctx);
  await addDemoRate(ctx);
  const installed = await loadAppStates(ctx);
  for (const app of apps) if (installed.get(app.name) === 'installed') await app.demo(ctx);
  const countsByModel = [...(await loadDemoNames(ctx))].map(([model, count]) => [
    model,
    count - (before.get(model) ?? 0),
  ]);
  return { 'res.partner': contacts, ...Object.fromEntries(countsByModel) };
}

/** Counts the apps' demo records by model. External identifiers of demo records start with `demo_`. */
async function loadDemoNames(ctx: Ctx): Promise<Map<string, number>> {
  const rows = await ctx.db.rows<{ model: string; count: number }>(
    sql`select model, count(*)::int as count from ir_model_data
     where workspace_id = ${ctx.workspace.id} and name like 'demo\\_%' group by model order by model`,
  );
  return new Map(rows.map(({ model, count }) => [model, count]));
}

async function addDemoContacts(ctx: Ctx): Promise<number> {
  const [existingRecord] = await ctx.db.rows(
    sql`select 1 from res_partner where workspace_id = ${ctx.workspace.id} and name = ${COMPANIES[0]![0]}`,
  );
  if (existingRecord) return 0;
  let contacts = 0;
  const countries = await loadCountries(ctx);
  for (const [name, city, country, people] of COMPANIES) {
    const place = { city, country_id: countries.get(country) };
    const domain = `${toSlug(name)}.example`;
    const child_ids = people.map((person) => [
      0,
      0,
      { name: person, ...place, email: `${toSlug(person).replaceAll('-', '.')}@${domain}` },
    ]);
    await create(ctx, 'res.partner', [
      { name, ...place, is_company: true, email: `hello@${domain}`, website: `https://${domain}`, child_ids },
    ]);
    contacts += 1 + people.length;
  }
  return contacts;
}

/** Creates a rate with its external identifier from Odoo's demo data. */
async function addDemoRate(ctx: Ctx): Promise<void> {
  const [dollar] = await search(ctx, 'res.currency', [['name', '=', 'USD']], { limit: 1 });
  if (!dollar) return;
  await addRecords(ctx, 'base', 'res.currency.rate', {
    rateUSD: { currency_id: dollar, name: '2010-01-01', rate: 1.2834 },
  });
}

async function loadCountries(ctx: Ctx): Promise<Map<string, number>> {
  const codes = COMPANIES.map(([, , code]) => code);
  const rows = await ctx.db.rows<{ id: number; code: string }>(
    sql`select id, code from res_country where workspace_id = ${ctx.workspace.id} and code = any(${codes})`,
  );
  return new Map(rows.map(({ id, code }) => [code, id]));
}
