import { allowField, defineInputShape, type InputOf } from '../../../src/engine/operation/input.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { hasControlCharacter } from '../../../src/message/header.ts';
import { type Block, parseBlocks, renderBlocks } from '../editor/block-html.ts';
import { compileTemplateText, type TemplateScalar, type TemplateVariables } from './compile.ts';

const MAX_VARIABLES = 500;
const MAX_TEMPLATE_NAME_CHARS = 255;
/** Maximum size of HTML and text combined. */
const MAX_TEMPLATE_BYTES = 2 * 1024 * 1024;

export interface TemplateContent {
  subject: string;
  html: string | null;
  text: string | null;
  /** Block editor document (JSON). */
  content: string | null;
  variables: TemplateVariables;
  raw: string[];
}

const TEMPLATE_INPUT_DESCRIPTION = 'An email template. In an update, omitted fields keep their values.';

export const TemplateInputShape = defineInputShape('TemplateInput', TEMPLATE_INPUT_DESCRIPTION, {
  name: allowField('String', 'Name of the template.'),
  subject: allowField('String', 'Subject line. May contain variables.'),
  html: allowField(
    'String',
    'HTML body. Variables are written as {{name}} or {{name, fallback=value}}. Their values are escaped.',
  ),
  text: allowField('String', 'Plain text body. Generated from the HTML by default.'),
  content: allowField('String', 'Block editor document (JSON) that the HTML is generated from.'),
  variables: allowField('JSON', 'Fallback values by variable name.'),
  raw: allowField(
    'StringList',
    'Variables that contain HTML. Their values are not escaped if the template refers to them as {{{name}}}.',
  ),
});

export type TemplateInput = InputOf<typeof TemplateInputShape>;

const EMPTY_TEMPLATE: TemplateContent = {
  subject: '',
  html: null,
  text: null,
  content: null,
  variables: {},
  raw: [],
};

/**
 * Applies a change to a template's content. A block editor document determines the HTML, and its fallbacks become
 * default values.
 * @throws BAD_REQUEST that names the field
 */
export function buildTemplateContent(
  input: TemplateInput,
  before: TemplateContent = EMPTY_TEMPLATE,
): TemplateContent {
  const content = input.content === undefined ? before.content : input.content || null;
  const compiled = input.content ? compileBlocks(input.content) : null;
  const after: TemplateContent = {
    subject: input.subject ?? before.subject,
    html: compiled ? compiled.html : input.html === undefined ? before.html : input.html || null,
    text: input.text === undefined ? before.text : input.text || null,
    // Custom HTML no longer matches the document.
    content: compiled || input.html == null ? content : null,
    variables: {
      ...compiled?.fallbacks,
      ...(input.variables == null ? before.variables : parseTemplateScalars('variables', input.variables)),
    },
    raw: input.raw ?? before.raw,
  };
  checkTemplate(after);
  return after;
}

function checkTemplate(template: TemplateContent): void {
  const { subject, html, text, raw } = template;
  if (!subject.trim()) throw errors.badField('subject', 'is required for a template.');
  if (hasControlCharacter(subject))
    throw errors.badField('subject', 'line breaks and control characters are not allowed.');
  if (subject.length > limits.email.subject)
    throw errors.badField('subject', `must have at most ${limits.email.subject} characters.`);
  if (!html && !text) throw errors.badField('html', 'a template requires html, text or content.');
  if (Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '') > MAX_TEMPLATE_BYTES)
    throw errors.badRequest(`html and text: must be at most ${MAX_TEMPLATE_BYTES} bytes in total.`);
  compileTemplateText('subject', subject, raw);
  compileTemplateText('html', html ?? '', raw);
  compileTemplateText('text', text ?? '', raw);
}

/** @throws BAD_REQUEST */
export function parseTemplateName(templateName: string | null | undefined): string {
  const name = templateName?.trim() ?? '';
  if (!name || name.length > MAX_TEMPLATE_NAME_CHARS)
    throw errors.badField('name', `must have 1 to ${MAX_TEMPLATE_NAME_CHARS} characters.`);
  return name;
}

/** Validates an object of JSON scalars. @throws BAD_REQUEST that names the field and the variable */
export function parseTemplateScalars(field: string, value: unknown): TemplateVariables {
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw errors.badField(field, 'must be an object that maps variable names to values.');
  const entries = Object.entries(value);
  if (entries.length > MAX_VARIABLES)
    throw errors.badField(field, `must contain at most ${MAX_VARIABLES} values.`);
  for (const [name, inner] of entries)
    if (inner !== null && typeof inner === 'object')
      throw errors.badField(field, `${name.slice(0, 100)} must be a string, a number, true, false or null.`);
  return value as Record<string, TemplateScalar>;
}

/** Renders a document as HTML, and extracts the fallbacks of its variables as default values for the template. */
function compileBlocks(content: string): { html: string; fallbacks: Record<string, TemplateScalar> } {
  const fallbacks: Record<string, TemplateScalar> = {};
  const getBareAddresses = (block: Block): Block => {
    const { fallback, ...attrs } = block.attrs;
    const name = String(attrs.id ?? attrs.name ?? '');
    const isVariable = block.type === 'variable';
    if (isVariable && name && typeof fallback === 'string' && fallback) fallbacks[name] = fallback;
    return {
      ...block,
      attrs: isVariable ? attrs : block.attrs,
      content: block.content.map(getBareAddresses),
    };
  };
  return { html: renderBlocks(getBareAddresses(parseBlocks('content', content))), fallbacks };
}
