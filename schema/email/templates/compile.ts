import Handlebars from 'handlebars';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { readTemplate, type TemplatePiece, type TemplatePlaceholder } from './read-template.ts';

/** Contains only data, so filling a template executes no code from its author. */
export type CompiledTemplate = TemplatePiece[];

/** Null counts as missing. */
export type TemplateScalar = string | number | boolean | null;
export type TemplateVariables = Readonly<Record<string, TemplateScalar>>;

/**
 * Compiles a subset of Handlebars: `{{name}}`, comments, and `{{{name}}}` for the names in `raw`. Also accepts `{{name,
 * fallback=value}}`, as in campaigns.
 * @throws BAD_REQUEST that names the field and the position
 */
export function compileTemplateText(field: string, text: string, raw: readonly string[]): CompiledTemplate {
  if (!text.includes('{{')) return [text];
  checkTags(field, text);
  return readTemplate(text, (problem, line) => buildSyntaxError(field, problem, line)).map((part) => {
    if (typeof part !== 'string' && part.raw && !raw.includes(part.name))
      throw errors.badField(
        field,
        `{{{${part.name}}}} would insert the value as HTML; add ${part.name} to raw, or write ` +
          `{{${part.name}}}.`,
      );
    return part;
  });
}

/** @throws BAD_REQUEST for too many tags, which would block the event loop */
function checkTags(field: string, text: string): void {
  let tags = 0;
  for (let index = text.indexOf('{{'); index >= 0; index = text.indexOf('{{', index + 2))
    if (++tags > limits.template.tags)
      throw errors.badField(field, `must have at most ${limits.template.tags} variables.`);
}

const buildSyntaxError = (field: string, problem: 'unbalanced' | 'not plain', line: number) =>
  errors.badField(
    field,
    problem === 'unbalanced'
      ? `unbalanced braces (line ${line}).`
      : `only variables such as {{name}} or {{name, fallback=value}} are allowed between braces (line ${line}).`,
  );

export const getVariableNames = (template: CompiledTemplate): string[] => [
  ...new Set(template.flatMap((part) => (typeof part === 'string' ? [] : part.name))),
];

/**
 * Returns the given value, or a fallback if it is missing or empty. Ignores inherited properties. A placeholder's own
 * fallback is part of the template, so it is not escaped.
 * @throws BAD_REQUEST that names the variable
 */
function fillPlaceholder(
  { name, raw, fallback }: TemplatePlaceholder,
  variables: TemplateVariables,
  fallbacks: TemplateVariables,
  escapeValue: (value: string) => string,
): string {
  const toShownText = (value: TemplateScalar) => (raw ? String(value) : escapeValue(String(value)));
  const value = getOwnValue(variables, name);
  if (value !== null && value !== '') return toShownText(value);
  if (fallback !== null) return fallback;
  const other = getOwnValue(fallbacks, name);
  if (other !== null) return toShownText(other);
  if (value === '') return '';
  throw errors.badField('variables', `the template needs a value for ${name}.`);
}

const getOwnValue = (values: TemplateVariables, name: string): TemplateScalar =>
  (Object.hasOwn(values, name) ? values[name] : null) ?? null;

export const findEmptyPlaceholders = (
  template: CompiledTemplate,
  variables: TemplateVariables,
  fallbacks: TemplateVariables,
): CompiledTemplate =>
  template.filter(
    (part) =>
      typeof part !== 'string' &&
      part.fallback === null &&
      getOwnValue(variables, part.name) === null &&
      getOwnValue(fallbacks, part.name) === null,
  );

/** Fills an HTML template, escaping the values. @throws BAD_REQUEST if a variable has no value */
export const fillHtml = (
  template: CompiledTemplate,
  variables: TemplateVariables,
  fallbacks: TemplateVariables,
): string => fillTemplate(template, variables, fallbacks, Handlebars.Utils.escapeExpression);

/** Fills a plain-text template without escaping. @throws BAD_REQUEST if a variable has no value */
export const fillPlainText = (
  template: CompiledTemplate,
  variables: TemplateVariables,
  fallbacks: TemplateVariables,
): string => fillTemplate(template, variables, fallbacks, String);

/** Checks the size after each piece, because a value may occur many times. */
function fillTemplate(
  template: CompiledTemplate,
  variables: TemplateVariables,
  fallbacks: TemplateVariables,
  escapeValue: (value: string) => string,
): string {
  let text = '';
  for (const part of template) {
    text += typeof part === 'string' ? part : fillPlaceholder(part, variables, fallbacks, escapeValue);
    if (text.length > limits.email.bytes)
      throw errors.badField('variables', 'their values make the email too large.');
  }
  return text;
}
