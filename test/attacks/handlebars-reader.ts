import Handlebars from 'handlebars';

/**
 * Returns the result that Handlebars itself produces for a template without fallbacks: variables become `‹name›`, or
 * `«name»` if unescaped. Null if the template contains anything but variables and comments.
 */
export function readByHandlebars(text: string): string | null {
  let program: hbs.AST.Program;
  try {
    program = Handlebars.parse(text);
  } catch {
    return null;
  }
  const parts = program.body.map((statement) => {
    if (statement.type === 'ContentStatement') return (statement as hbs.AST.ContentStatement).value;
    if (statement.type === 'CommentStatement') return '';
    return statement.type === 'MustacheStatement'
      ? formatPlaceholder(statement as hbs.AST.MustacheStatement)
      : null;
  });
  return parts.includes(null) ? null : parts.join('');
}

function formatPlaceholder({ path, params, hash, escaped }: hbs.AST.MustacheStatement): string | null {
  const { type, original } = path as hbs.AST.PathExpression;
  if (type !== 'PathExpression' || params.length > 0 || hash) return null;
  if (!/^[A-Za-z_][\w-]{0,99}$/.test(original)) return null;
  return escaped ? `‹${original}›` : `«${original}»`;
}
