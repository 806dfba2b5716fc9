import Handlebars from 'handlebars';
import { errors } from '../../../src/errors.ts';
import { variablePlace } from '../editor/variable-place.ts';

/** A place for a variable; its fallback is one of its own, which comes before that of the template. */
interface Place {
  name: string;
  raw: boolean;
  fallback: string | null;
}

/** A piece of a compiled text: as it is, or a place for a variable. */
type Piece = string | Place;

/** A text of a template, ready to be filled. It holds data only: filling runs nothing of its author's. */
export type CompiledTemplate = Piece[];

/** JSON scalars; null counts as not given. */
export type Scalar = string | number | boolean | null;
export type Variables = Readonly<Record<string, Scalar>>;

const NAME = /^[A-Za-z_][\w-]{0,99}$/;

const INSIDE = /(?<!\\)\{\{([^{}]*)\}\}/g;

/**
 * Compiles a text written in Handlebars' syntax, of which a template may use `{{name}}`, comments, and `{{{name}}}` for
 * the names in `raw`; also `{{name, fallback=value}}` as in campaigns.
 * @throws BAD_REQUEST that names the field and the place
 */
export function compileTemplateText(field: string, text: string, raw: readonly string[]): CompiledTemplate {
  if (!text.includes('{{')) return [text];
  const { known, fallbacks } = withoutFallbacks(text);
  const pieces: CompiledTemplate = [];
  for (const statement of parsed(field, known).body) {
    if (statement.type === 'ContentStatement') pieces.push((statement as hbs.AST.ContentStatement).value);
    else if (statement.type === 'MustacheStatement')
      pieces.push(variableOf(field, statement as hbs.AST.MustacheStatement, fallbacks, raw));
    else if (statement.type !== 'CommentStatement') throw notPlain(field, statement);
  }
  return pieces;
}

/** Handlebars does not know our fallbacks, but `{{name key=1}}`: under this key it carries the number of one. */
const HASH = 'fallback-';

function withoutFallbacks(text: string): { known: string; fallbacks: string[] } {
  const fallbacks: string[] = [];
  const known = text.replace(INSIDE, (whole, inside: string) => {
    const place = variablePlace(inside);
    if (!place || place.fallback === null || !NAME.test(place.name)) return whole;
    const lines = '\n'.repeat(inside.split('\n').length - 1);
    return `{{${place.name} ${HASH}=${fallbacks.push(place.fallback) - 1}${lines}}}`;
  });
  return { known, fallbacks };
}

function parsed(field: string, text: string): hbs.AST.Program {
  try {
    return Handlebars.parse(text);
  } catch (error) {
    const line = /line (\d+)/.exec((error as Error).message)?.[1];
    throw errors.badRequest(`${field}: unbalanced braces${line ? ` (line ${line})` : ''}.`);
  }
}

function variableOf(
  field: string,
  mustache: hbs.AST.MustacheStatement,
  fallbacks: readonly string[],
  raw: readonly string[],
): Place {
  const { path, params, hash, escaped } = mustache;
  const { type, original } = path as hbs.AST.PathExpression;
  const fallback = hash?.pairs.length ? fallbackOf(hash.pairs, fallbacks) : null;
  if (type !== 'PathExpression' || params.length > 0 || fallback === undefined || !NAME.test(original))
    throw notPlain(field, mustache);
  if (!escaped && !raw.includes(original))
    throw errors.badRequest(
      `${field}: {{{${original}}}} would let the value be HTML; name ${original} in raw, or write {{${original}}}.`,
    );
  return { name: original, raw: !escaped, fallback };
}

/** undefined for anything that is not our own. */
function fallbackOf([pair, more]: hbs.AST.HashPair[], fallbacks: readonly string[]): string | undefined {
  if (more || pair!.key !== HASH || pair!.value.type !== 'NumberLiteral') return undefined;
  return fallbacks[(pair!.value as hbs.AST.NumberLiteral).value];
}

const notPlain = (field: string, { loc }: hbs.AST.Statement) =>
  errors.badRequest(
    `${field}: only variables such as {{name}} or {{name, fallback=value}} may stand between braces (line ` +
      `${loc.start.line}).`,
  );

/** Names of the variables of a text, each once. */
export const namesOf = (compiled: CompiledTemplate): string[] => [
  ...new Set(compiled.flatMap((piece) => (typeof piece === 'string' ? [] : piece.name))),
];

/**
 * What stands in a place: the value given, else the fallback. An empty text gives the fallback as well. Only own
 * properties count. The fallback of a place is part of the text, so `escaped` is not asked of it.
 * @throws BAD_REQUEST that names the variable
 */
function filled(
  { name, raw, fallback }: Place,
  given: Variables,
  fallbacks: Variables,
  escaped: (value: string) => string,
): string {
  const shown = (value: Scalar) => (raw ? String(value) : escaped(String(value)));
  const value = own(given, name);
  if (value !== null && value !== '') return shown(value);
  if (fallback !== null) return fallback;
  const other = own(fallbacks, name);
  if (other !== null) return shown(other);
  if (value === '') return '';
  throw errors.badRequest(`variables: the template needs a value for ${name}.`);
}

const own = (values: Variables, name: string): Scalar =>
  (Object.hasOwn(values, name) ? values[name] : null) ?? null;

/** The places that have neither a value nor a fallback. */
export const emptyIn = (
  compiled: CompiledTemplate,
  given: Variables,
  fallbacks: Variables,
): CompiledTemplate =>
  compiled.filter(
    (piece) =>
      typeof piece !== 'string' &&
      piece.fallback === null &&
      own(given, piece.name) === null &&
      own(fallbacks, piece.name) === null,
  );

/** Fills an HTML text: values are escaped. @throws BAD_REQUEST for a variable without a value */
export const fillHtml = (compiled: CompiledTemplate, given: Variables, fallbacks: Variables): string =>
  fill(compiled, given, fallbacks, Handlebars.Utils.escapeExpression);

/** Fills a text that is no HTML. @throws BAD_REQUEST for a variable without a value */
export const fillPlain = (compiled: CompiledTemplate, given: Variables, fallbacks: Variables): string =>
  fill(compiled, given, fallbacks, String);

const fill = (
  compiled: CompiledTemplate,
  given: Variables,
  fallbacks: Variables,
  escaped: (value: string) => string,
): string =>
  compiled
    .map((piece) => (typeof piece === 'string' ? piece : filled(piece, given, fallbacks, escaped)))
    .join('');
