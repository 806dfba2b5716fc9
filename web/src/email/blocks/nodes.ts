import { InputRule, Mark, mergeAttributes, Node } from '@tiptap/core';
import { toLocalSource } from './image-source.ts';

// Blocks of emails. `schema/email/editor/block-html.ts` renders their HTML. This file defines how the editor shows
// them.

/** Defines attributes that exist only in the document, such as colors. Copied content contains them as `data-…`. */
const defineDataAttributes = (...names: string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        default: null,
        parseHTML: (element: HTMLElement) => element.getAttribute(toDataName(name)),
        renderHTML: (attrs: Record<string, unknown>) =>
          attrs[name] === null ? {} : { [toDataName(name)]: String(attrs[name]) },
      },
    ]),
  );

const toDataName = (name: string): string => `data-${name.toLowerCase()}`;

/** Campaigns and templates have the same syntax for variables. */
const VARIABLE = /\{\{\s*(\w+)\s*(?:,\s*fallback\s*=\s*([^{}]*?)\s*)?\}\}$/;

export const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => defineDataAttributes('id', 'name', 'fallback', 'rest'),
  parseHTML: () => [{ tag: 'span.block-variable' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { class: 'block-variable' }),
    `{{${node.attrs.id ?? node.attrs.name}}}`,
  ],
  addInputRules() {
    return [
      new InputRule({
        find: VARIABLE,
        handler: ({ state, range, match }) => {
          const attrs = { id: match[1], fallback: match[2] || null };
          state.tr.replaceWith(range.from, range.to, this.type.create(attrs));
        },
      }),
    ];
  },
});

export const ButtonBlock = Node.create({
  name: 'button',
  group: 'block',
  atom: true,
  addAttributes: () =>
    defineDataAttributes(
      ...['text', 'url', 'alignment', 'buttonColor', 'textColor'],
      ...['borderColor', 'borderWidth', 'borderRadius', 'rest'],
    ),
  parseHTML: () => [{ tag: 'p.block-button' }],
  renderHTML({ node: { attrs }, HTMLAttributes }) {
    const className = [
      `background:${attrs.buttonColor ?? '#000000'};color:${attrs.textColor ?? '#ffffff'}`,
      `border:${attrs.borderWidth ?? 1}px solid ${attrs.borderColor ?? '#000000'}`,
      `border-radius:${attrs.borderRadius ?? 8}px`,
    ].join(';');
    const outer = mergeAttributes(HTMLAttributes, {
      class: 'block-button',
      style: formatAlignment(attrs.alignment),
    });
    return ['p', outer, ['span', { style: className }, String(attrs.text ?? '')]];
  },
});

const formatAlignment = (to: unknown): string =>
  `text-align:${to === 'center' || to === 'right' ? to : 'left'}`;

/**
 * Renders an image, or the alternative text of an image on another server, because the page loads nothing from other
 * servers.
 */
function renderImage(attrs: Record<string, unknown>): [string, Record<string, string>, ...string[]] {
  const source = toLocalSource(String(attrs.src ?? ''));
  const text = String(attrs.alt || attrs.src || '');
  if (!source) return ['span', { class: 'block-no-image' }, text];
  const width = Number.parseInt(String(attrs.width), 10);
  return ['img', { src: source, alt: text, ...(width > 0 && { width: String(width) }) }];
}

const createImageNode = (name: string, attrs: string[]) =>
  Node.create({
    name,
    group: 'block',
    atom: true,
    draggable: true,
    addAttributes: () => defineDataAttributes(...attrs, 'rest'),
    parseHTML: () => [{ tag: `p.block-${name}` }],
    renderHTML: ({ node, HTMLAttributes }) => [
      'p',
      mergeAttributes(HTMLAttributes, {
        class: `block-image block-${name}`,
        style: formatAlignment(node.attrs.alignment),
      }),
      renderImage(node.attrs),
    ],
  });

export const ImageBlock = createImageNode('image', [
  'src',
  'alt',
  'width',
  'alignment',
  'externalLink',
  'href',
]);
export const LogoBlock = createImageNode('logo', ['src', 'alt', 'size', 'alignment']);

export const Spacer = Node.create({
  name: 'spacer',
  group: 'block',
  atom: true,
  addAttributes: () => defineDataAttributes('height', 'rest'),
  parseHTML: () => [{ tag: 'div.block-spacer' }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { class: 'block-spacer' })],
});

/** The footer's HTML always contains the unsubscribe link, regardless of its text. */
export const UnsubscribeFooter = Node.create({
  name: 'unsubscribeFooter',
  group: 'block',
  content: 'inline*',
  addAttributes: () => defineDataAttributes('rest'),
  parseHTML: () => [{ tag: 'div.block-footer' }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { class: 'block-footer' }), 0],
});

export const ForeignBlock = Node.create({
  name: 'foreignBlock',
  group: 'block',
  atom: true,
  addAttributes: () => defineDataAttributes('json'),
  parseHTML: () => [{ tag: 'p.block-foreign' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'p',
    mergeAttributes(HTMLAttributes, { class: 'block-foreign' }),
    getForeignType(node.attrs.json),
  ],
});

export const ForeignInline = Node.create({
  name: 'foreignInline',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => defineDataAttributes('json'),
  parseHTML: () => [{ tag: 'span.block-foreign' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { class: 'block-foreign' }),
    getForeignType(node.attrs.json),
  ],
});

const getForeignType = (json: string): string => String((JSON.parse(json) as { type: string }).type);

/** Unknown marks from other programs. Several can apply to the same text. */
export const ForeignMark = Mark.create({
  name: 'foreignMark',
  excludes: '',
  addAttributes: () => defineDataAttributes('json'),
  parseHTML: () => [{ tag: 'span.mark-foreign' }],
  renderHTML: ({ HTMLAttributes }) => ['span', mergeAttributes(HTMLAttributes, { class: 'mark-foreign' }), 0],
});

/** Takes precedence over the link color, which would otherwise hide it. */
export const TextColor = Mark.create({
  name: 'textStyle',
  priority: 1100,
  addAttributes: () => ({
    ...defineDataAttributes('rest'),
    color: {
      default: null,
      parseHTML: (element: HTMLElement) => element.style.color || null,
      renderHTML: ({ color }: Record<string, unknown>) => (color ? { style: `color:${color}` } : {}),
    },
  }),
  parseHTML: () => [{ tag: 'span[style*=color]' }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
});

export const LinkMark = Mark.create({
  name: 'link',
  priority: 1000,
  inclusive: false,
  addAttributes: () => ({
    ...defineDataAttributes('rest'),
    href: {
      default: null,
      parseHTML: (element: HTMLElement) => element.getAttribute('href'),
      // Links do not work in the editor, so only the URL is shown.
      renderHTML: ({ href }: Record<string, unknown>) => ({
        'data-href': String(href ?? ''),
        title: String(href ?? ''),
      }),
    },
  }),
  parseHTML: () => [{ tag: 'a[href]' }, { tag: 'span.mark-link', getAttrs: getLinkAttributes }],
  renderHTML: ({ HTMLAttributes }) => ['span', mergeAttributes(HTMLAttributes, { class: 'mark-link' }), 0],
});

const getLinkAttributes = (element: HTMLElement) => ({ href: element.getAttribute('data-href') });
