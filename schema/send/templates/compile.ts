import Handlebars from 'handlebars';
import { errors } from '../../../src/errors.ts';

/** A piece of a compiled text: as it is, or a place for a variable. */
type Piece = string | { name: string; raw: boolean };

/** A text of a template, ready to be filled. It holds data only: filling runs nothing of its author's. */
export type Compiled = Piece[];

/** JSON scalars; null counts as not given. */
export type Scalar = string | number | boolean | null;
export type Variables = Readonly<Record<string, Scalar>>;

const NAME = /^[A-Za-z_][\w-]{0,99}$/;

/**
 * Compiles a text written in Handlebars' syntax, of which a template may use `{{name}}`, comments, and `{{{name}}}` for
 * the names in `raw`.
 * @throws BAD_REQUEST that names the field and the place
 */
export function compileText(field: string, text: string, raw: readonly string[]): Compiled {
  if (!text.includes('{{')) return [text];
  const pieces: Compiled = [];
  for (const statement of parsed(field, text).body) {
    if (statement.type === 'ContentStatement') pieces.push((statement as hbs.AST.ContentStatement).value);
    else if (statement.type === 'MustacheStatement')
      pieces.push(variableOf(field, statement as hbs.AST.MustacheStatement, raw));
    else if (statement.type !== 'CommentStatement')
      throw errors.badRequest(
        `${field}: only variables such as {{name}} may stand between braces (line ${statement.loc.start.line}).`,
      );
  }
  return pieces;
}

function parsed(field: string, text: string): hbs.AST.Program {
  try {
    return Handlebars.parse(text);
  } catch (error) {
    const line = /line (\d+)/.exec((error as Error).message)?.[1];
    throw errors.badRequest(`${field}: the braces do not fit together${line ? ` (line ${line})` : ''}.`);
  }
}

function variableOf(field: string, mustache: hbs.AST.MustacheStatement, raw: readonly string[]): Piece {
  const { path, params, hash, escaped, loc } = mustache;
  const { type, original } = path as hbs.AST.PathExpression;
  const plain = type === 'PathExpression' && params.length === 0 && !hash?.pairs.length;
  if (!plain || !NAME.test(original))
    throw errors.badRequest(
      `${field}: only variables such as {{name}} may stand between braces (line ${loc.start.line}).`,
    );
  if (!escaped && !raw.includes(original))
    throw errors.badRequest(
      `${field}: {{{${original}}}} would let the value be HTML; name ${original} in raw, or write {{${original}}}.`,
    );
  return { name: original, raw: !escaped };
}

/** Names of the variables of a text, each once. */
export const namesOf = (compiled: Compiled): string[] => [
  ...new Set(compiled.flatMap((piece) => (typeof piece === 'string' ? [] : piece.name))),
];

/**
 * The value of a variable: what is given, else the fallback. An empty text gives the fallback as well.
 * Only own properties count. @throws BAD_REQUEST that names the variable
 */
function fillerOf(name: string, given: Variables, fallbacks: Variables): string {
  const value = Object.hasOwn(given, name) ? given[name] : null;
  if (value !== null && value !== undefined && value !== '') return String(value);
  const fallback = Object.hasOwn(fallbacks, name) ? fallbacks[name] : null;
  if (fallback !== null && fallback !== undefined) return String(fallback);
  if (value === '') return '';
  throw errors.badRequest(`variables: the template needs a value for ${name}.`);
}

/** Fills an HTML text: values are escaped. @throws BAD_REQUEST for a variable without a value */
export const fillHtml = (compiled: Compiled, given: Variables, fallbacks: Variables): string =>
  compiled
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const value = fillerOf(piece.name, given, fallbacks);
      return piece.raw ? value : Handlebars.Utils.escapeExpression(value);
    })
    .join('');

/** Fills a text that is no HTML. @throws BAD_REQUEST for a variable without a value */
export const fillPlain = (compiled: Compiled, given: Variables, fallbacks: Variables): string =>
  compiled
    .map((piece) => (typeof piece === 'string' ? piece : fillerOf(piece.name, given, fallbacks)))
    .join('');
