import { errors } from '../../../src/errors.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';

/** A node of the block editor's document. */
export interface Block {
  type: string;
  attrs: Record<string, unknown>;
  content: Block[];
  text: string;
  marks: Block[];
}

/** The document of a text of the block editor. @throws BAD_REQUEST that names the field */
export function blocksOf(field: string, text: string): Block {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw errors.badRequest(`${field}: not a block editor document (JSON).`);
  }
  const count = { left: limits.campaign.blocks };
  const doc = blockOf(field, value, limits.campaign.blockDepth, count);
  if (doc.type !== 'doc') throw errors.badRequest(`${field}: must be a node of type doc.`);
  return doc;
}

function blockOf(field: string, value: unknown, depth: number, count: { left: number }): Block {
  if (!isObject(value)) throw errors.badRequest(`${field}: a node must be an object.`);
  const { type, attrs, content, text, marks } = value;
  if (typeof type !== 'string') throw errors.badRequest(`${field}: every node must have a type.`);
  if (depth === 0 || --count.left < 0) throw errors.badRequest(`${field}: too many nodes, or too deep.`);
  const list = (given: unknown) =>
    Array.isArray(given) ? given.map((each) => blockOf(field, each, depth - 1, count)) : [];
  return {
    type,
    attrs: isObject(attrs) ? attrs : {},
    content: list(content),
    text: typeof text === 'string' ? text : '',
    marks: list(marks),
  };
}

/** The HTML of a document, with its variables still in it. Unknown nodes are what is inside of them. */
export function htmlOfBlocks(doc: Block): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:24px 12px;background:#ffffff;color:#1c2430;font:16px/1.6 Helvetica,Arial,sans-serif">
<div style="max-width:600px;margin:0 auto">
${inside(doc)}
</div>
</body></html>
`;
}

const inside = (block: Block): string => block.content.map(render).join('');

const render = (block: Block): string => (entry(RENDERERS, block.type) ?? inside)(block);

/** Names come from the document: what every object has is no entry. */
const entry = <T>(table: Record<string, T>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

const RENDERERS: Record<string, (block: Block) => string> = {
  text: textHtml,
  hardBreak: () => '<br>',
  paragraph: (block) => `<p style="margin:0 0 16px${align(block)}">${inside(block) || '&nbsp;'}</p>\n`,
  heading: headingHtml,
  bulletList: (block) => `<ul style="margin:0 0 16px;padding-left:24px">${inside(block)}</ul>\n`,
  orderedList: (block) =>
    `<ol start="${whole(block.attrs.start, 1)}" style="margin:0 0 16px;padding-left:24px">${inside(block)}</ol>\n`,
  listItem: (block) => `<li style="margin:0 0 4px">${inside(block)}</li>`,
  blockquote: (block) =>
    `<blockquote style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #d5d9df">` +
    `${inside(block)}</blockquote>\n`,
  codeBlock: (block) =>
    `<pre style="margin:0 0 16px;padding:12px;background:#f4f5f7;white-space:pre-wrap">` +
    `<code>${inside(block)}</code></pre>\n`,
  horizontalRule: () => '<hr style="margin:24px 0;border:0;border-top:1px solid #d5d9df">\n',
  spacer: (block) => {
    const height = entry(SPACES, block.attrs.height) ?? whole(block.attrs.height, 16);
    return `<div style="height:${height}px;line-height:${height}px">&nbsp;</div>\n`;
  },
  variable: variableHtml,
  button: buttonHtml,
  image: (block) => imageHtml(block, '100%'),
  logo: (block) => imageHtml(block, `${entry(SIZES, block.attrs.size) ?? 48}px`),
  unsubscribeFooter: footerHtml,
};

const SPACES: Record<string, number> = { sm: 8, md: 16, lg: 32, xl: 64 };
const SIZES: Record<string, number> = { sm: 40, md: 48, lg: 64 };

function headingHtml(block: Block): string {
  const level = Math.min(3, Math.max(1, whole(block.attrs.level, 1)));
  const size = [32, 24, 20][level - 1];
  return (
    `<h${level} style="margin:0 0 16px;font-size:${size}px;line-height:1.25${align(block)}">` +
    `${inside(block)}</h${level}>\n`
  );
}

/** Marks of text, the first one innermost. */
function textHtml(block: Block): string {
  return block.marks.reduce((html, mark) => marked(mark, html), escapeHtml(block.text));
}

const TAGS: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
};

function marked(mark: Block, html: string): string {
  const tag = entry(TAGS, mark.type);
  if (tag) return `<${tag}>${html}</${tag}>`;
  if (mark.type === 'textStyle') {
    const color = style(mark.attrs.color);
    return color ? `<span style="color:${color}">${html}</span>` : html;
  }
  const href = mark.type === 'link' ? address(mark.attrs.href) : null;
  return href ? `<a href="${href}">${html}</a>` : html;
}

function variableHtml({ attrs }: Block): string {
  const name = String(attrs.id ?? attrs.name ?? '');
  if (!/^[\w.]+$/.test(name)) return '';
  const { fallback } = attrs;
  return typeof fallback === 'string' && fallback
    ? `{{${name}, fallback=${escapeWithBraces(fallback)}}}`
    : `{{${name}}}`;
}

/** Without a brace that could make a variable of it. */
const escapeWithBraces = (text: string): string =>
  escapeHtml(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;');

function buttonHtml({ attrs }: Block): string {
  const look = [
    'display:inline-block;padding:12px 24px;text-decoration:none;font-weight:bold',
    `background:${style(attrs.buttonColor) ?? '#000000'};color:${style(attrs.textColor) ?? '#ffffff'}`,
    `border:${whole(attrs.borderWidth, 1)}px solid ${style(attrs.borderColor) ?? '#000000'}`,
    `border-radius:${whole(attrs.borderRadius, 8)}px`,
  ].join(';');
  const text = escapeHtml(String(attrs.text ?? ''));
  return (
    `<p style="margin:0 0 16px;text-align:${side(attrs.alignment)}">` +
    `<a href="${address(attrs.url) ?? '#'}" style="${look}">${text}</a></p>\n`
  );
}

function imageHtml({ attrs }: Block, most: string): string {
  const source = address(attrs.src);
  if (!source) return '';
  const width =
    attrs.width === undefined || attrs.width === 'auto' ? '' : ` width="${whole(attrs.width, 600)}"`;
  const image =
    `<img src="${source}" alt="${escapeHtml(String(attrs.alt ?? ''))}"${width} ` +
    `style="max-width:${most};height:auto;border:0">`;
  const link = address(attrs.externalLink ?? attrs.href);
  const shown = link ? `<a href="${link}">${image}</a>` : image;
  return `<p style="margin:0 0 16px;text-align:${side(attrs.alignment)}">${shown}</p>\n`;
}

/** A footer always has the link, whatever its author left of it. */
function footerHtml(block: Block): string {
  const own = inside(block);
  const has = /\{\{\s*(?:usesend|unsend)_unsubscribe_url\s*\}\}/i.test(own);
  const link = has ? '' : ' <a href="{{usesend_unsubscribe_url}}" style="color:#5b6675">Unsubscribe</a>';
  return `<div style="margin:32px 0 0;font-size:13px;color:#5b6675">${own}${link}</div>\n`;
}

const align = ({ attrs }: Block): string => {
  const to = side(attrs.textAlign);
  return to === 'left' ? '' : `;text-align:${to}`;
};

const side = (value: unknown): string => (value === 'center' || value === 'right' ? value : 'left');

function whole(value: unknown, otherwise: number): number {
  const number = Number.parseInt(String(value), 10);
  return number >= 0 && number <= 10_000 ? number : otherwise;
}

/** A colour; nothing that could end the style it stands in. */
const style = (value: unknown): string | null =>
  typeof value === 'string' && /^[#\w%.,() -]{1,60}$/.test(value) ? value : null;

/** An address a mail may lead to, or a variable that gives one, as it stands in an attribute. */
function address(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^(?:https?:|mailto:|tel:|\{\{)/i.test(text) ? escapeHtml(text) : null;
}
