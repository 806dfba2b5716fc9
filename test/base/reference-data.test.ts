import { describe, expect, it } from 'vitest';
import { loadCountryStates } from '../../schema/base/partners/country-states.ts';
import { buildCountries, buildCurrencies } from '../../schema/base/partners/reference-data.ts';
import { listLanguageRows } from '../../src/engine/value/languages.ts';

const indexBy = <Row, K extends keyof Row>(rows: Row[], key: K): Map<Row[K], Row> =>
  new Map(rows.map((row) => [row[key], row]));

describe('country data', () => {
  const rows = buildCountries();
  const byKey = indexBy(rows, 'code');

  it.each([
    ['BE', { name: 'Belgium', phone_code: 32, currency: 'EUR' }],
    ['US', { name: 'United States', phone_code: 1, currency: 'USD' }],
    ['CH', { name: 'Switzerland', phone_code: 41, currency: 'CHF' }],
    ['CL', { name: 'Chile', phone_code: 56, currency: 'CLP' }],
    ['UY', { name: 'Uruguay', phone_code: 598, currency: 'UYU' }],
    ['AX', { name: 'Åland Islands', phone_code: 358, currency: 'EUR' }],
    ['XK', { name: 'Kosovo', phone_code: 383, currency: 'EUR' }],
    ['AQ', { name: 'Antarctica', phone_code: 672, currency: null }],
  ])('describes the country %s', (code, expected) => {
    expect(byKey.get(code)).toMatchObject(expected);
  });

  it('contains the 249 countries of ISO 3166-1 and Kosovo, each once and sorted by code', () => {
    expect(rows).toHaveLength(250);
    expect(rows.map((row) => row.code)).toEqual([...byKey.keys()].sort());
    expect(indexBy(rows, 'name').size).toBe(rows.length);
    expect(rows.every((row) => /^[A-Z]{2}$/.test(row.code))).toBe(true);
  });

  it("formats addresses with the postal code in the country's usual position", () => {
    expect(byKey.get('BE')!.address_format).toContain('%(zip)s %(city)s');
    expect(byKey.get('US')!.address_format).toContain('%(city)s %(state_code)s %(zip)s');
  });
});

describe('currency data', () => {
  const rows = buildCurrencies();
  const byKey = indexBy(rows, 'name');

  it.each([
    ['USD', { full_name: 'US Dollar', symbol: '$', iso_numeric: 840, rounding: 0.01, position: 'before' }],
    ['EUR', { full_name: 'Euro', symbol: '€', iso_numeric: 978, rounding: 0.01, position: 'after' }],
    [
      'GBP',
      { full_name: 'British Pound', symbol: '£', iso_numeric: 826, rounding: 0.01, position: 'before' },
    ],
    [
      'CHF',
      { full_name: 'Swiss Franc', symbol: 'CHF', iso_numeric: 756, rounding: 0.01, position: 'before' },
    ],
    ['JPY', { full_name: 'Japanese Yen', symbol: '¥', iso_numeric: 392, rounding: 1 }],
    ['KWD', { full_name: 'Kuwaiti Dinar', iso_numeric: 414, rounding: 0.001 }],
    ['SEK', { symbol: 'kr', iso_numeric: 752, position: 'after' }],
    ['XOF', { iso_numeric: 952, rounding: 1, position: 'after' }],
    ['XCG', { iso_numeric: 532, rounding: 0.01 }],
  ])('describes the currency %s', (name, expected) => {
    expect(byKey.get(name)).toMatchObject(expected);
  });

  it('contains circulating currencies, but no metals, funds or test codes', () => {
    for (const name of ['XAU', 'XTS', 'XXX', 'CHE', 'CLF', 'USN', 'UYI']) expect(byKey.has(name)).toBe(false);
  });

  it("contains every country's currency once", () => {
    expect(byKey.size).toBe(rows.length);
    for (const { currency } of buildCountries()) if (currency) expect(byKey.has(currency)).toBe(true);
  });

  it('activates only seven major currencies', () => {
    const active = rows.filter((row) => row.active).map((row) => row.name);
    expect(active).toEqual(['AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD']);
  });
});

describe('language data', () => {
  const rows = listLanguageRows();
  const byKey = indexBy(rows, 'code');

  it.each([
    ['en_US', { name: 'English (US)', iso_code: 'en', date_format: '%m/%d/%Y', week_start: '7' }],
    ['en_GB', { name: 'English (GB)', iso_code: 'en_GB', date_format: '%d/%m/%Y', time_format: '%H:%M:%S' }],
    ['fr_FR', { name: 'French / Français', url_code: 'fr', decimal_point: ',', week_start: '1' }],
    ['fr_BE', { name: 'French (BE) / Français (BE)', iso_code: 'fr_BE', url_code: 'fr_BE' }],
    ['de_DE', { date_format: '%d.%m.%Y', decimal_point: ',', thousands_sep: '.', grouping: '[3,0]' }],
    ['hi_IN', { grouping: '[3,2,0]', direction: 'ltr' }],
    ['he_IL', { direction: 'rtl', date_format: '%d.%m.%Y' }],
    ['ar_001', { iso_code: 'ar', direction: 'rtl', date_format: '%d/%m/%Y' }],
    ['fa_IR', { direction: 'rtl', date_format: '%Y/%m/%d' }],
    ['es_419', { name: 'Spanish (Latin America) / Español (Latinoamérica)' }],
    ['ka_GE', { name: 'Georgian / ქართული' }],
  ])('describes the language %s', (code, expected) => {
    expect(byKey.get(code)).toMatchObject(expected);
  });

  it('has unique names, codes and URL codes, and activates only en_US', () => {
    for (const key of ['name', 'code', 'iso_code', 'url_code'] as const)
      expect(indexBy(rows, key).size).toBe(rows.length);
    expect(rows.filter((row) => row.active).map((row) => row.code)).toEqual(['en_US']);
  });

  it('includes the day, the month and the year in every date format, and uses distinct separators', () => {
    for (const row of rows) {
      expect(row.date_format.match(/%[dmY]/g)?.sort(), row.code).toEqual(['%Y', '%d', '%m']);
      expect(row.decimal_point, row.code).not.toBe(row.thousands_sep);
      expect(row.week_start, row.code).toMatch(/^[1-7]$/);
    }
  });
});

describe('state data', async () => {
  const rows = await loadCountryStates();

  it.each([
    ['US', 'CA', 'California', 'state_us_5'],
    ['US', 'WY', 'Wyoming', 'state_us_51'],
    ['US', 'AE', 'Armed Forces Europe', 'state_us_ae'],
    ['CA', 'QC', 'Quebec', 'state_ca_qc'],
    ['AU', 'NSW', 'New South Wales', 'state_au_2'],
    ['BE', 'VAN', 'Antwerpen', 'state_be_van'],
    ['IT', 'AG', 'Agrigento', 'state_it_ag'],
    ['LU', 'D', 'Diekirch', 'state_lu_d'],
  ])('contains for %s the state %s, %s', (country, code, name, xmlid) => {
    expect(rows).toContainEqual({ country, code, name, xmlid });
  });

  it.each([
    ['US', 63],
    ['CA', 13],
    ['AU', 8],
    ['BR', 27],
    ['DE', 16],
    ['FR', 110],
    ['IN', 36],
    ['JP', 47],
  ])('contains for %s %i states', (country, count) => {
    expect(rows.filter((row) => row.country === country)).toHaveLength(count);
  });

  it('contains each state once, in a country that exists', () => {
    const countries = new Set(buildCountries().map(({ code }) => code));
    expect(rows.filter(({ country }) => !countries.has(country))).toEqual([]);
    expect(new Set(rows.map(({ country, code }) => `${country} ${code}`)).size).toBe(rows.length);
    expect(indexBy(rows, 'xmlid').size).toBe(rows.length);
  });
});
