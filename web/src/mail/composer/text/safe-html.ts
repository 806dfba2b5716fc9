import createPurify from 'dompurify';
import { HELD_SOURCE, type Pictures, STAGED } from './pictures.ts';

/** Makes HTML safe for a window, as a fragment of it: it runs nothing, and loads nothing of other servers. */
export function safeHtmlFor(
  window: Window & typeof globalThis,
  pictures: Pictures,
): (html: string) => DocumentFragment {
  const purify = createPurify(window);
  purify.addHook('afterSanitizeAttributes', (element) => {
    if (element.nodeName === 'IMG') holdSource(element, pictures);
    const { style } = element as HTMLElement;
    if (!style) return;
    for (const name of [...style])
      if (name === 'position' || LOADS.test(style.getPropertyValue(name))) style.removeProperty(name);
  });
  return (html) =>
    purify.sanitize(html, {
      RETURN_DOM_FRAGMENT: true,
      FORBID_TAGS: [
        'style',
        'form',
        'input',
        'button',
        'textarea',
        'select',
        'video',
        'audio',
        'source',
        'svg',
        'math',
      ],
      FORBID_ATTR: [
        'srcset',
        'background',
        'poster',
        'id',
        'name',
        'contenteditable',
        'tabindex',
        'autofocus',
      ],
    });
}

/** Values of styles that load something. */
const LOADS = /(?:url|image-set|src)\(/i;

function holdSource(image: Element, pictures: Pictures): void {
  const source = image.getAttribute('src') ?? '';
  const id = image.getAttribute(STAGED) ?? /^cid:(\d+)$/.exec(source)?.[1];
  const shown = id ? pictures.shown(id) : null;
  if (id && shown) {
    image.setAttribute('src', shown);
    image.setAttribute(STAGED, id);
  } else if (source && !source.startsWith('data:')) {
    image.setAttribute(HELD_SOURCE, source);
    image.removeAttribute('src');
  }
}
