import { type Locale, toLocale } from './locale.ts';

/** A language in a new workspace. Dates and times use strftime formats. */
interface LanguageRow {
  name: string;
  code: string;
  iso_code: string;
  url_code: string;
  active: boolean;
  direction: 'ltr' | 'rtl';
  date_format: string;
  time_format: string;
  week_start: string;
  grouping: string;
  decimal_point: string;
  thousands_sep: string;
}

const CODES =
  `am_ET ar_001 ar_SY az_AZ be_BY bg_BG bn_IN bs_BA ca_ES cs_CZ da_DK de_AT de_CH de_DE el_GR en_AU en_CA en_GB en_IE
  en_IN en_NZ en_US es_419 es_AR es_BO es_CL es_CO es_CR es_DO es_EC es_ES es_GT es_MX es_PA es_PE es_PY es_UY
  es_VE et_EE eu_ES fa_IR fi_FI fr_BE fr_CA fr_CH fr_FR ga_IE gl_ES gu_IN he_IL hi_IN hr_HR hu_HU hy_AM id_ID is_IS
  it_CH it_IT ja_JP ka_GE kab_DZ kk_KZ km_KH ko_KR lb_LU lo_LA lt_LT lv_LV mk_MK ml_IN mn_MN ms_MY mt_MT my_MM
  nb_NO nl_BE nl_NL nn_NO pl_PL pt_AO pt_BR pt_PT ro_RO ru_RU sk_SK sl_SI sq_AL sr_RS sv_SE sw_KE ta_IN te_IN th_TH
  tl_PH tr_TR uk_UA ur_PK uz_UZ vi_VN zh_CN zh_HK zh_TW`.split(/\s+/);

/** Lists the languages that a workspace can enable, in the order of their codes. en_US is always enabled. */
export const listLanguageRows = (): LanguageRow[] => CODES.map(buildLanguageRow);

function buildLanguageRow(code: string): LanguageRow {
  const locale = new Intl.Locale(toLocale(code)) as Locale;
  // The name omits the region if it is the language's main country or the world (001).
  const isHome = ['001', new Intl.Locale(locale.language).maximize().region].includes(locale.region);
  const shortCode = isHome ? locale.language : code;
  return {
    name: formatLanguageName(locale, isHome),
    code,
    iso_code: shortCode,
    url_code: shortCode,
    active: code === 'en_US',
    direction: locale.getTextInfo().direction ?? 'ltr',
    date_format: buildDateFormat(locale),
    time_format: buildTimeFormat(locale),
    week_start: String(locale.getWeekInfo().firstDay),
    ...buildNumberFormat(locale),
  };
}

/** Formats a name such as `French (BE) / Français (BE)`. English names always include the region. */
function formatLanguageName(locale: Intl.Locale, isHome: boolean): string {
  const english = getNameIn('en', locale, isHome && locale.language !== 'en');
  if (locale.language === 'en') return english;
  return `${english} / ${getNameIn(locale.toString(), locale, isHome)}`;
}

function getNameIn(inLanguage: string, { language, region }: Intl.Locale, isAlone: boolean): string {
  const name = new Intl.DisplayNames(inLanguage, { type: 'language' }).of(language)!;
  // Capitalizes names in scripts whose sentences start with a capital letter. Georgian uses capitals only in headlines.
  const hasCase = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(name)
    ? name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1)
    : name;
  return isAlone ? hasCase : `${hasCase} (${getRegionName(inLanguage, region!)})`;
}

/** Returns a country's code, or a numeric region's name. */
const getRegionName = (inLanguage: string, region: string): string =>
  /^\d/.test(region) ? new Intl.DisplayNames(inLanguage, { type: 'region' }).of(region)! : region;

const DATE_PARTS: Record<string, string> = { year: '%Y', month: '%m', day: '%d' };

function buildDateFormat(locale: Intl.Locale): string {
  const canonicalLocale = `${locale}-u-ca-gregory-nu-latn`;
  const format = new Intl.DateTimeFormat(canonicalLocale, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format
    .formatToParts(0)
    .map((part) => DATE_PARTS[part.type] ?? (part.type === 'literal' ? removeDirectionMarks(part.value) : ''))
    .join('')
    .trim();
}

const removeDirectionMarks = (text: string): string => text.replace(/[\u200e\u200f\u061c]/g, '');

const buildTimeFormat = (locale: Intl.Locale): string =>
  new Intl.DateTimeFormat(locale.toString(), { hour: 'numeric' }).resolvedOptions().hour12
    ? '%I:%M:%S %p'
    : '%H:%M:%S';

function buildNumberFormat(
  locale: Intl.Locale,
): Pick<LanguageRow, 'grouping' | 'decimal_point' | 'thousands_sep'> {
  const format = new Intl.NumberFormat(`${locale}-u-nu-latn`, { useGrouping: true });
  const parts = format.formatToParts(1234567890.5);
  const getPartText = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const groups = parts.filter((part) => part.type === 'integer').map((part) => part.value.length);
  return {
    grouping: groups.at(-2) === 2 ? '[3,2,0]' : '[3,0]',
    decimal_point: getPartText('decimal'),
    thousands_sep: getPartText('group'),
  };
}
