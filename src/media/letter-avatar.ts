import { type Sql, sql } from '../db/sql.ts';

const [BEFORE, AFTER] = [
  '<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><rect width="180" height="180" fill="#71639e"/>' +
    '<text x="90" y="125" fill="#fff" font-family="sans-serif" font-size="96" text-anchor="middle">',
  '</text></svg>',
];

const NAMELESS_AVATAR = sql`convert_to(${sql.literal(`${BEFORE}?${AFTER}`)}, 'UTF8')`;

/** Builds SQL that generates an SVG, in bytes, with the first letter of a name. */
export const buildLetterSql = (name: Sql): Sql =>
  sql`coalesce(convert_to(${sql.literal(BEFORE)} || upper(substring(${name} from '[[:alnum:]]'))
    || ${sql.literal(AFTER)}, 'UTF8'), ${NAMELESS_AVATAR})`;

/** Detects a generated letter avatar, which contains no scripts. */
export function isLetterAvatar(bytes: Buffer): boolean {
  const text = bytes.length < 1000 ? bytes.toString() : '';
  const letter = text.slice(BEFORE!.length, -AFTER!.length);
  return text === `${BEFORE}${letter}${AFTER}` && !/[<&]/.test(letter);
}
