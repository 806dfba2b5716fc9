import createPurify from 'dompurify';
import { BLOCKED_SOURCE, type PictureStore, STAGED_ATTRIBUTE } from './pictures.ts';

/** Returns a function that sanitizes HTML. Sanitized HTML runs no scripts and loads nothing from other servers. */
export function createSanitizer(
  window: Window & typeof globalThis,
  pictures: PictureStore,
): (html: string) => DocumentFragment {
  const purify = createPurify(window);
  purify.addHook('afterSanitizeAttributes', (element) => {
    if (element.nodeName === 'IMG') blockSource(element, pictures);
    const { style } = element as HTMLElement;
    if (!style) return;
    for (const name of [...style])
      if (name === 'position' || LOADING_VALUE.test(style.getPropertyValue(name))) style.removeProperty(name);
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

const LOADING_VALUE = /(?:url|image-set|src)\(/i;

function blockSource(image: Element, pictures: PictureStore): void {
  const source = image.getAttribute('src') ?? '';
  const id = image.getAttribute(STAGED_ATTRIBUTE) ?? /^cid:(\d+)$/.exec(source)?.[1];
  const url = id ? pictures.getUrl(id) : null;
  if (id && url) {
    image.setAttribute('src', url);
    image.setAttribute(STAGED_ATTRIBUTE, id);
  } else if (source && !source.startsWith('data:')) {
    image.setAttribute(BLOCKED_SOURCE, source);
    image.removeAttribute('src');
  }
}
