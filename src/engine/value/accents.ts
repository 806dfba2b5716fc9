import { type Sql, sql } from '../../db/sql.ts';

/** Prefix of the `like` operators that ignore accents. */
export const UNACCENT = '=unaccent';

/** Letters that Unicode does not decompose, and their base letters. */
const STROKED_LETTERS = 'øØłŁđĐħĦŧŦı';
const BASE_LETTERS = 'oOlLdDhHtTi';

const PLAIN_LETTERS = new Map([...STROKED_LETTERS].map((letter, index) => [letter, BASE_LETTERS[index]!]));

/** Removes diacritics. Must match `buildPlainSql`. */
export const removeAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x00-\x7f]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter);

export const buildPlainSql = (text: Sql): Sql =>
  sql`translate(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'),
    ${sql.literal(STROKED_LETTERS)}, ${sql.literal(BASE_LETTERS)})`;
