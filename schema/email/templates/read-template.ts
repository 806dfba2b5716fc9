import { parseVariable } from '../editor/variable-placeholder.ts';

// The supported subset of Handlebars is regular, so a single pass parses it in linear time.
// `test/attacks/templates.test.ts` compares it with the Handlebars parser.

/** A placeholder's own fallback takes precedence over the template's. */
export interface TemplatePlaceholder {
  name: string;
  raw: boolean;
  fallback: string | null;
}

export type TemplatePiece = string | TemplatePlaceholder;

/** `unbalanced`: braces without a match. `not plain`: braces that contain anything other than a variable. */
type BuildSyntaxError = (problem: 'unbalanced' | 'not plain', line: number) => Error;

/** Text between tags. `value` omits the whitespace that tags strip. */
interface TemplateText {
  original: string;
  value: string;
  isStrippedLeft: boolean;
  isStrippedRight: boolean;
}

/** A variable, or a comment (`placeholder` is null). `~` next to the braces strips whitespace on that side. */
interface TemplateTag {
  placeholder: TemplatePlaceholder | null;
  left: boolean;
  right: boolean;
}

type TemplatePart = TemplateText | TemplateTag;

const isContent = (part: TemplatePart | undefined): part is TemplateText =>
  part !== undefined && 'original' in part;

/** @throws the result of `error` for the first problem */
export function readTemplate(text: string, error: BuildSyntaxError): TemplatePiece[] {
  const parts = parseParts(text, error);
  for (const [index, part] of parts.entries()) if (!isContent(part)) stripAroundTag(parts, index, part);
  return parts.flatMap((part) => (isContent(part) ? part.value : (part.placeholder ?? [])));
}

function parseParts(text: string, error: BuildSyntaxError): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const add = (original: string) => {
    if (original) parts.push({ original, value: original, isStrippedLeft: false, isStrippedRight: false });
  };
  let position = 0;
  while (position < text.length) {
    const openIndex = text.indexOf('{{', position);
    if (openIndex < 0) {
      add(text.slice(position));
      break;
    }
    const before = text.slice(position, openIndex);
    const isEscaped = before.endsWith('\\') && !before.endsWith('\\\\');
    add(before.endsWith('\\') ? before.slice(0, -1) : before);
    const end = isEscaped ? findEscapeEnd(text, openIndex) : undefined;
    if (end !== undefined) add(text.slice(openIndex, end));
    position = end ?? readTag(text, openIndex, parts, error);
  }
  return parts;
}

/**
 * Finds the end of the literal text after escaped braces: the start of the next braces, or of the backslashes that
 * escape them.
 */
function findEscapeEnd(text: string, openIndex: number): number {
  const next = text.indexOf('{{', openIndex + 2);
  if (next < 0) return text.length;
  let end = next;
  while (end > openIndex + 2 && end > next - 2 && text[end - 1] === '\\') end--;
  return end;
}

const NAME_PATTERN = '[A-Za-z_][\\w-]{0,99}';
const VARIABLE_PATTERN = new RegExp(
  `\\{\\{(~)?(&)?\\s*(?:(${NAME_PATTERN})|\\[(${NAME_PATTERN})\\])\\s*(?:(~)\\}\\}|\\}\\}(?!\\}))`,
  'y',
);
const RAW_VARIABLE_PATTERN = new RegExp(
  `\\{\\{(~)?\\{\\s*(?:(${NAME_PATTERN})|\\[(${NAME_PATTERN})\\])\\s*\\}(?:(~)\\}\\}|\\}\\}(?!\\}))`,
  'y',
);
const FALLBACK_VARIABLE_PATTERN = /\{\{(\{)?([^{}]*)\}\}(\})?(?!\})/y;
const NAME_ONLY_PATTERN = new RegExp(`^${NAME_PATTERN}$`);

const LITERALS = new Set(['true', 'false', 'null', 'undefined']);
const ELSE_PATTERN = /\{\{~?\s*else\b/y;

const matchAt = (form: RegExp, text: string, index: number): RegExpExecArray | null => {
  form.lastIndex = index;
  return form.exec(text);
};

/** Parses the tag at `openIndex`, and appends it to `parts`. @returns its end */
function readTag(text: string, openIndex: number, parts: TemplatePart[], error: BuildSyntaxError): number {
  const tag =
    parseComment(text, openIndex) ??
    parsePlainVariable(text, openIndex) ??
    parseRawVariable(text, openIndex) ??
    parseVariableWithFallback(text, openIndex);
  if (!tag) {
    const isOpen = text.indexOf('}}', openIndex) < 0 || text.startsWith('{{{', openIndex);
    throw error(isOpen ? 'unbalanced' : 'not plain', getLineNumber(text, openIndex));
  }
  parts.push(tag.tag);
  return tag.end;
}

const getLineNumber = (text: string, index: number): number => text.slice(0, index).split(/\r\n?|\n/).length;

type ParsedTag = { tag: TemplateTag; end: number } | null;

const COMMENT_PATTERN = /\{\{(~)?!(--)?/y;
const TAG_END_PATTERN = /\}\}/g;
const COMMENT_END_PATTERN = /--~?\}\}/g;

function parseComment(text: string, openIndex: number): ParsedTag {
  const start = matchAt(COMMENT_PATTERN, text, openIndex);
  if (!start) return null;
  const [, left, dashes] = start;
  // The dashes that open a comment can close it too: `{{!--}}`.
  const last = matchAt(dashes ? COMMENT_END_PATTERN : TAG_END_PATTERN, text, openIndex + (left ? 4 : 3));
  if (!last) return null;
  const end = last.index + last[0].length;
  return { tag: { placeholder: null, left: left !== undefined, right: text[end - 3] === '~' }, end };
}

function parsePlainVariable(text: string, openIndex: number): ParsedTag {
  const match = matchAt(VARIABLE_PATTERN, text, openIndex);
  if (!match) return null;
  const [matched, left, raw, plain, bracketed, right] = match;
  if (plain && (LITERALS.has(plain) || (!raw && matchAt(ELSE_PATTERN, text, openIndex)))) return null;
  const placeholder = { name: plain ?? bracketed!, raw: raw !== undefined, fallback: null };
  return {
    tag: { placeholder, left: left !== undefined, right: right !== undefined },
    end: openIndex + matched.length,
  };
}

function parseRawVariable(text: string, openIndex: number): ParsedTag {
  const match = matchAt(RAW_VARIABLE_PATTERN, text, openIndex);
  if (!match) return null;
  const [matched, left, plain, bracketed, right] = match;
  if (plain && LITERALS.has(plain)) return null;
  const placeholder = { name: plain ?? bracketed!, raw: true, fallback: null };
  return {
    tag: { placeholder, left: left !== undefined, right: right !== undefined },
    end: openIndex + matched.length,
  };
}

function parseVariableWithFallback(text: string, openIndex: number): ParsedTag {
  const match = matchAt(FALLBACK_VARIABLE_PATTERN, text, openIndex);
  if (!match) return null;
  const [matched, raw, inside, closed] = match;
  const variable = parseVariable(inside!);
  if (!variable || variable.fallback === null || !NAME_ONLY_PATTERN.test(variable.name)) return null;
  if ((raw === undefined) !== (closed === undefined)) return null;
  const placeholder = { ...variable, raw: raw !== undefined };
  return { tag: { placeholder, left: false, right: false }, end: openIndex + matched.length };
}

/** Strips the whitespace around a tag with `~`, and the line of a comment that is alone on its line. */
function stripAroundTag(
  parts: TemplatePart[],
  index: number,
  { placeholder, left, right }: TemplateTag,
): void {
  const isAlone = placeholder === null && endsLine(parts, index) && beginsLine(parts, index);
  const [before, after] = [parts[index - 1], parts[index + 1]];
  if (right) stripRight(after, (text) => text.trimStart());
  if (left) stripLeft(before, (text) => text.trimEnd());
  if (!isAlone) return;
  if (isContent(after) && !after.isStrippedRight)
    stripRight(after, (text) => text.replace(/^[ \t]*\r?\n?/, ''));
  if (isContent(before) && !before.isStrippedLeft) stripLeft(before, stripIndent);
}

function stripRight(part: TemplatePart | undefined, change: (text: string) => string): void {
  if (!isContent(part)) return;
  const value = change(part.value);
  part.isStrippedRight = value !== part.value;
  part.value = value;
}

function stripLeft(part: TemplatePart | undefined, change: (text: string) => string): void {
  if (!isContent(part)) return;
  const value = change(part.value);
  part.isStrippedLeft = value !== part.value;
  part.value = value;
}

/** Avoids a regular expression, which would retry at every whitespace character and take quadratic time. */
function stripIndent(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(0, end);
}

/** True if only whitespace separates the tag from the start of its line. */
function endsLine(parts: TemplatePart[], index: number): boolean {
  const before = parts[index - 1];
  if (!before) return true;
  if (!isContent(before)) return false;
  const tail = before.original.slice(before.original.trimEnd().length);
  return tail.includes('\n') || (index === 1 && tail === before.original);
}

/** True if only whitespace separates the tag from the end of its line. */
function beginsLine(parts: TemplatePart[], index: number): boolean {
  const after = parts[index + 1];
  if (!after) return true;
  if (!isContent(after)) return false;
  const head = after.original.slice(0, after.original.length - after.original.trimStart().length);
  return head.includes('\n') || (index === parts.length - 2 && head === after.original);
}
