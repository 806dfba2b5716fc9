import { MarkupError } from './markup-error.ts';
import type { Attribute, MarkupElement } from './parse.ts';

/** What an author of markup may write. */
export interface MarkupRights {
  /** Scripts, event handlers and frames. */
  scripts: boolean;
}

/** Elements that run something, load a document into the page, or change what its addresses mean. */
const ACTIVE = new Set(
  'script iframe frame frameset object embed applet base animate animatemotion animatetransform set portal'.split(
    ' ',
  ),
);

/** Elements whose content browsers read in a way of their own, so that what is text here would not be there. */
const ODD = new Set('plaintext xmp noembed noframes noscript listing template math'.split(' '));

const ADDRESSES = new Set(
  'href src action formaction poster data srcset xlink:href background ping cite longdesc'.split(' '),
);

/** Whether the attribute holds an address. */
export const isAddress = (name: string): boolean => ADDRESSES.has(name.toLowerCase());

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'sms']);
const PICTURE = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

/** Whether a browser that follows the address runs nothing of it. What it skips in an address is left out. */
export function isHarmless(address: string): boolean {
  const bare = address.replace(/[\u0000-\u0020\u007f-\u009f]/g, '');
  const scheme = SCHEME.exec(bare)?.[1]?.toLowerCase();
  return scheme === undefined || SCHEMES.has(scheme) || PICTURE.test(bare);
}

/** @throws MarkupError for what the author may not write */
export function checkElement(element: MarkupElement, { scripts }: MarkupRights): void {
  const name = element.name.toLowerCase().replace(/^.*:/, '');
  if (ODD.has(name)) throw new MarkupError(`The element ${element.name} is not taken.`, element);
  if (scripts) return;
  if (ACTIVE.has(name))
    throw new MarkupError(`The element ${element.name} is allowed only where scripts are.`, element);
  for (const attribute of element.attributes) checkAttribute(name, attribute);
}

/** Whether what is typed there can be read on the screen: a page asks for no passwords, which browsers fill in. */
const isOpenInput = ({ name, value }: Attribute): boolean =>
  !name.startsWith('t-') && value.trim().toLowerCase() !== 'password';

function checkAttribute(element: string, attribute: Attribute): void {
  const name = attribute.name.toLowerCase().replace(/^t-attf?-/, '');
  const isActive =
    name.startsWith('on') ||
    name === 'srcdoc' ||
    (element === 'meta' && name === 'http-equiv') ||
    (element === 'input' && name === 'type' && !isOpenInput(attribute));
  if (isActive)
    throw new MarkupError(`The attribute ${attribute.name} is allowed only where scripts are.`, attribute);
  if (isAddress(name) && !attribute.name.startsWith('t-') && !isHarmless(attribute.value))
    throw new MarkupError(
      `${attribute.name} holds an address that is allowed only where scripts are.`,
      attribute,
    );
}
