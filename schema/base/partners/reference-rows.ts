import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { searchRead } from '../../../src/engine/read/records.ts';
import { listLanguageRows } from '../../../src/engine/value/languages.ts';
import { create } from '../../../src/engine/write/write.ts';
import { buildCountries, buildCurrencies } from './reference-data.ts';

/** Computed once per process, because reference data is the same for all workspaces. */
let referenceRows: { currencies: Values[]; languages: Values[]; countries: Values[] } | undefined;

const getReferenceRows = () => {
  referenceRows ??= {
    currencies: buildCurrencies().map((row) => ({ ...row })),
    languages: listLanguageRows().map((row) => ({ ...row })),
    countries: buildCountries().map((row) => ({ ...row })),
  };
  return referenceRows;
};

export async function addReferenceData(ctx: Ctx): Promise<void> {
  const { currencies, languages, countries } = getReferenceRows();
  if ((await loadIdsByField(ctx, 'res.country', 'code')).size > 0) return;
  await create(ctx, 'res.currency', currencies);
  await create(ctx, 'res.lang', languages);
  const currencyIds = await loadIdsByField(ctx, 'res.currency', 'name');
  await create(
    ctx,
    'res.country',
    countries.map(({ currency, ...row }) => ({
      ...row,
      currency_id: currencyIds.get(String(currency)) ?? false,
    })),
  );
}

async function loadIdsByField(ctx: Ctx, model: string, field: string): Promise<Map<string, number>> {
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const rows = (await searchRead(all, { model, domain: [], fields: [field] })).value<
    { id: number; [name: string]: unknown }[]
  >();
  return new Map(rows.map((row) => [String(row[field]), row.id]));
}
