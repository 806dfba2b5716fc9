import { countries as known, type TCountryCode } from 'countries-list';
import { code as currencyOf } from 'currency-codes';

/** A country in the reference data. `currency` is a currency's code, or null for a place without a currency. */
interface CountryRow {
  name: string;
  code: string;
  phone_code: number;
  currency: string | null;
  address_format: string;
}

interface CurrencyRow {
  name: string;
  full_name: string;
  symbol: string;
  iso_numeric: number;
  rounding: number;
  position: 'before' | 'after';
  active: boolean;
}

const CITY_FIRST_FORMAT = '%(street)s\n%(street2)s\n%(city)s %(state_code)s %(zip)s\n%(country_name)s';
const ZIP_FIRST_FORMAT = '%(street)s\n%(street2)s\n%(zip)s %(city)s\n%(country_name)s';

/** Countries that write the postal code before the town (addressing sheets of the Universal Postal Union). */
const ZIP_FIRST_COUNTRIES = new Set(
  `AD AT BA BE BG CH CY CZ DE DK EE ES FI FO FR GL GR HR HU IL IS IT LI LT LU MA MC ME MK NL NO PL PT RO RS SE SI
  SK SM TN TR VA XK`.split(/\s+/),
);

/** Corrections to the package's data: missing special characters, short names, and obsolete dialing codes. */
const COUNTRY_CORRECTIONS: Partial<Record<TCountryCode, Partial<CountryRow>>> = {
  AX: { name: 'Åland Islands' },
  BL: { name: 'Saint Barthélemy' },
  BQ: { name: 'Bonaire, Sint Eustatius and Saba' },
  CW: { name: 'Curaçao' },
  RE: { name: 'Réunion' },
  XK: { phone_code: 383 },
};

/** Parts of Saint Helena, whose codes ISO 3166 only reserves. */
const RESERVED_CODES = new Set(['AC', 'TA']);

/** Units of account and funds in ISO 4217, which are not used for payment. */
const FUND_CURRENCIES = new Set('BOV CHE CHW CLF COU MXV USN UYI UYW'.split(' '));

/** Currencies missing from the package's ISO 4217 list. */
const NEW_CURRENCIES: Record<string, { number: string; digits: number }> = {
  XCG: { number: '532', digits: 2 },
};

/** Currencies that are active in new workspaces. The others can be activated. */
const ACTIVE_CURRENCIES = new Set('USD EUR GBP CHF JPY CAD AUD'.split(' '));

/** Country whose format a currency uses, if the currency's code does not start with the country's code. */
const HOME_COUNTRIES: Record<string, TCountryCode> = {
  EUR: 'DE',
  XAF: 'CM',
  XCD: 'LC',
  XCG: 'CW',
  XOF: 'SN',
  XPF: 'PF',
};

const codes = (Object.keys(known) as TCountryCode[]).filter((code) => !RESERVED_CODES.has(code)).sort();

export const buildCountries = (): CountryRow[] =>
  codes.map((code) => ({
    name: known[code].name,
    code,
    phone_code: known[code].phone[0] ?? 0,
    currency: getCurrencies(code)[0] ?? null,
    address_format: ZIP_FIRST_COUNTRIES.has(code) ? ZIP_FIRST_FORMAT : CITY_FIRST_FORMAT,
    ...COUNTRY_CORRECTIONS[code],
  }));

/** Lists the ISO 4217 currencies that at least one country uses, sorted by code. */
export const buildCurrencies = (): CurrencyRow[] =>
  [...new Set(codes.flatMap(getCurrencies))].sort().map(buildCurrency);

const getCurrencies = (code: TCountryCode): string[] =>
  known[code].currency.filter((currency) => !FUND_CURRENCIES.has(currency));

const englishNames = new Intl.DisplayNames('en', { type: 'currency' });

function buildCurrency(name: string): CurrencyRow {
  const { number, digits } = NEW_CURRENCIES[name] ?? currencyOf(name)!;
  return {
    name,
    full_name: englishNames.of(name)!,
    symbol: getSymbol(name),
    iso_numeric: Number(number),
    rounding: Number(`1e-${digits}`),
    position: getSymbolPosition(name),
    active: ACTIVE_CURRENCIES.has(name),
  };
}

const getSymbol = (currency: string): string =>
  formatMoneyParts('en', currency).find((part) => part.type === 'currency')!.value;

function getSymbolPosition(currency: string): 'before' | 'after' {
  const home = HOME_COUNTRIES[currency] ?? (currency.slice(0, 2) as TCountryCode);
  const types = formatMoneyParts(`${known[home].languages[0]}-${home}`, currency).map((part) => part.type);
  return types.indexOf('currency') < types.indexOf('integer') ? 'before' : 'after';
}

const formatMoneyParts = (locale: string, currency: string): Intl.NumberFormatPart[] =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(1);
