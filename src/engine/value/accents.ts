import { type Sql, sql } from '../../db/sql.ts';

/** Prefix of the `like` operators that ignore accents. */
export const UNACCENT = '=unaccent';

/** Letters with a stroke or without a dot, which Unicode does not decompose, and their plain forms. */
const STROKED = 'øØłŁđĐħĦŧŦı';
const PLAIN = 'oOlLdDhHtTi';

const toPlainLetter = new Map([...STROKED].map((letter, index) => [letter, PLAIN[index]!]));

/** Removes accents and other diacritics, as `buildPlainSql` does. */
export const removeAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x00-\x7f]/g, (letter) => toPlainLetter.get(letter) ?? letter);

export const buildPlainSql = (text: Sql): Sql =>
  sql`translate(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'),
    ${sql.literal(STROKED)}, ${sql.literal(PLAIN)})`;
