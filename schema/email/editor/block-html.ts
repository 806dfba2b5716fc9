import { errors } from '../../../src/errors.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { isObject } from '../../../src/json.ts';

const MAX_BLOCKS = 10_000;
const MAX_BLOCK_DEPTH = 50;

export interface Block {
  type: string;
  attrs: Record<string, unknown>;
  content: Block[];
  text: string;
  marks: Block[];
}

/** @throws BAD_REQUEST that names the field */
export function parseBlocks(field: string, text: string): Block {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw errors.badRequest(`${field}: must be a block editor document in JSON.`);
  }
  const count = { remaining: MAX_BLOCKS };
  const doc = parseBlock(field, value, MAX_BLOCK_DEPTH, count);
  if (doc.type !== 'doc') throw errors.badRequest(`${field}: must be a node of type doc.`);
  return doc;
}

function parseBlock(field: string, value: unknown, depth: number, count: { remaining: number }): Block {
  if (!isObject(value)) throw errors.badRequest(`${field}: a node must be an object.`);
  const { type, attrs, content, text, marks } = value;
  if (typeof type !== 'string') throw errors.badRequest(`${field}: every node must have a type.`);
  if (depth === 0 || --count.remaining < 0)
    throw errors.badRequest(`${field}: has too many nodes, or its nodes are nested too deeply.`);
  const list = (blocks: unknown) =>
    Array.isArray(blocks) ? blocks.map((block) => parseBlock(field, block, depth - 1, count)) : [];
  return {
    type,
    attrs: isObject(attrs) ? attrs : {},
    content: list(content),
    text: typeof text === 'string' ? text : '',
    marks: list(marks),
  };
}

/** Renders a document as HTML, with its variables. Replaces unknown nodes with their children. */
export function renderBlocks(doc: Block): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:24px 12px;background:#ffffff;color:#1c2430;font:16px/1.6 Helvetica,Arial,sans-serif">
<div style="max-width:600px;margin:0 auto">
${renderChildren(doc)}
</div>
</body></html>
`;
}

const renderChildren = (block: Block): string => block.content.map(renderBlock).join('');

const renderBlock = (block: Block): string => (findEntry(RENDERERS, block.type) ?? renderChildren)(block);

/** Ignores inherited properties, because a name from the document could be `constructor`. */
const findEntry = <T>(table: Record<string, T>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

const RENDERERS: Record<string, (block: Block) => string> = {
  text: renderText,
  hardBreak: () => '<br>',
  paragraph: (block) =>
    `<p style="margin:0 0 16px${buildTextAlign(block)}">${renderChildren(block) || '&nbsp;'}</p>\n`,
  heading: renderHeading,
  bulletList: (block) => `<ul style="margin:0 0 16px;padding-left:24px">${renderChildren(block)}</ul>\n`,
  orderedList: (block) =>
    `<ol start="${toNonNegativeInteger(block.attrs.start, 1)}" style="margin:0 0 16px;padding-left:24px">` +
    `${renderChildren(block)}</ol>\n`,
  listItem: (block) => `<li style="margin:0 0 4px">${renderChildren(block)}</li>`,
  blockquote: (block) =>
    `<blockquote style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #d5d9df">` +
    `${renderChildren(block)}</blockquote>\n`,
  codeBlock: (block) =>
    `<pre style="margin:0 0 16px;padding:12px;background:#f4f5f7;white-space:pre-wrap">` +
    `<code>${renderChildren(block)}</code></pre>\n`,
  horizontalRule: () => '<hr style="margin:24px 0;border:0;border-top:1px solid #d5d9df">\n',
  spacer: (block) => {
    const height = findEntry(SPACE_PX, block.attrs.height) ?? toNonNegativeInteger(block.attrs.height, 16);
    return `<div style="height:${height}px;line-height:${height}px">&nbsp;</div>\n`;
  },
  variable: renderVariable,
  button: renderButton,
  image: (block) => renderImage(block, '100%'),
  logo: (block) => renderImage(block, `${findEntry(SIZES, block.attrs.size) ?? 48}px`),
  unsubscribeFooter: renderFooter,
};

const SPACE_PX: Record<string, number> = { sm: 8, md: 16, lg: 32, xl: 64 };
const SIZES: Record<string, number> = { sm: 40, md: 48, lg: 64 };

function renderHeading(block: Block): string {
  const level = Math.min(3, Math.max(1, toNonNegativeInteger(block.attrs.level, 1)));
  const size = [32, 24, 20][level - 1];
  return (
    `<h${level} style="margin:0 0 16px;font-size:${size}px;line-height:1.25${buildTextAlign(block)}">` +
    `${renderChildren(block)}</h${level}>\n`
  );
}

/** Nests the marks, with the first one innermost. */
function renderText(block: Block): string {
  return block.marks.reduce((html, mark) => wrapInMark(mark, html), escapeHtml(block.text));
}

const MARK_TAGS: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
};

function wrapInMark(mark: Block, html: string): string {
  const tag = findEntry(MARK_TAGS, mark.type);
  if (tag) return `<${tag}>${html}</${tag}>`;
  if (mark.type === 'textStyle') {
    const color = toStyleValue(mark.attrs.color);
    return color ? `<span style="color:${color}">${html}</span>` : html;
  }
  const href = mark.type === 'link' ? toLinkAddress(mark.attrs.href) : null;
  return href ? `<a href="${href}">${html}</a>` : html;
}

function renderVariable({ attrs }: Block): string {
  const name = String(attrs.id ?? attrs.name ?? '');
  if (!/^[\w.]+$/.test(name)) return '';
  const { fallback } = attrs;
  return typeof fallback === 'string' && fallback
    ? `{{${name}, fallback=${escapeWithBraces(fallback)}}}`
    : `{{${name}}}`;
}

/** Escapes braces too, so that the text cannot form a variable. */
const escapeWithBraces = (text: string): string =>
  escapeHtml(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;');

function renderButton({ attrs }: Block): string {
  const className = [
    'display:inline-block;padding:12px 24px;text-decoration:none;font-weight:bold',
    `background:${toStyleValue(attrs.buttonColor) ?? '#000000'};color:${toStyleValue(attrs.textColor) ?? '#ffffff'}`,
    `border:${toNonNegativeInteger(attrs.borderWidth, 1)}px solid ${toStyleValue(attrs.borderColor) ?? '#000000'}`,
    `border-radius:${toNonNegativeInteger(attrs.borderRadius, 8)}px`,
  ].join(';');
  const text = escapeHtml(String(attrs.text ?? ''));
  return (
    `<p style="margin:0 0 16px;text-align:${toTextAlign(attrs.alignment)}">` +
    `<a href="${toLinkAddress(attrs.url) ?? '#'}" style="${className}">${text}</a></p>\n`
  );
}

function renderImage({ attrs }: Block, maxWidth: string): string {
  const source = toLinkAddress(attrs.src);
  if (!source) return '';
  const width =
    attrs.width === undefined || attrs.width === 'auto'
      ? ''
      : ` width="${toNonNegativeInteger(attrs.width, 600)}"`;
  const image =
    `<img src="${source}" alt="${escapeHtml(String(attrs.alt ?? ''))}"${width} ` +
    `style="max-width:${maxWidth};height:auto;border:0">`;
  const link = toLinkAddress(attrs.externalLink ?? attrs.href);
  const linkedImage = link ? `<a href="${link}">${image}</a>` : image;
  return `<p style="margin:0 0 16px;text-align:${toTextAlign(attrs.alignment)}">${linkedImage}</p>\n`;
}

/** Adds the unsubscribe link to the footer if the author removed it. */
function renderFooter(block: Block): string {
  const content = renderChildren(block);
  const hasLink = /\{\{\s*(?:usesend|unsend)_unsubscribe_url\s*\}\}/i.test(content);
  const link = hasLink ? '' : ' <a href="{{usesend_unsubscribe_url}}" style="color:#5b6675">Unsubscribe</a>';
  return `<div style="margin:32px 0 0;font-size:13px;color:#5b6675">${content}${link}</div>\n`;
}

const buildTextAlign = ({ attrs }: Block): string => {
  const to = toTextAlign(attrs.textAlign);
  return to === 'left' ? '' : `;text-align:${to}`;
};

const toTextAlign = (value: unknown): string => (value === 'center' || value === 'right' ? value : 'left');

function toNonNegativeInteger(value: unknown, fallback: number): number {
  const number = Number.parseInt(String(value), 10);
  return number >= 0 && number <= 10_000 ? number : fallback;
}

/** Returns null unless the value is a safe CSS value, such as a color. */
const toStyleValue = (value: unknown): string | null =>
  typeof value === 'string' && /^[#\w%.,() -]{1,60}$/.test(value) ? value : null;

/** Returns an escaped URL if it has a scheme allowed in mail or begins with a variable. */
function toLinkAddress(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^(?:https?:|mailto:|tel:|\{\{)/i.test(text) ? escapeHtml(text) : null;
}
