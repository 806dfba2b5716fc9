import { MarkupError } from './markup-error.ts';
import type { MarkupAttribute, MarkupElement } from './parse.ts';

export interface MarkupRights {
  /** Allows scripts, event handlers and frames. */
  scripts: boolean;
}

/** Elements that execute code, embed a document, or change the meaning of URLs. */
const ACTIVE_ELEMENTS = new Set(
  'script iframe frame frameset object embed applet base animate animatemotion animatetransform set portal'.split(
    ' ',
  ),
);

/** Browsers parse the content of these elements by special rules, so that escaped text could become markup. */
const UNSUPPORTED_ELEMENTS = new Set(
  'plaintext xmp noembed noframes noscript listing template math'.split(' '),
);

const ADDRESS_ATTRIBUTES = new Set(
  'href src action formaction poster data srcset xlink:href background ping cite longdesc'.split(' '),
);

export const isAddressAttribute = (name: string): boolean => ADDRESS_ATTRIBUTES.has(name.toLowerCase());

const SCHEME_PATTERN = /^([a-z][a-z0-9+.-]*):/i;
const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'sms']);
const DATA_IMAGE_PATTERN = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

/** Returns true if the URL cannot execute code in a browser. Ignores characters that browsers remove from URLs. */
export function isSafeAddress(address: string): boolean {
  const bareAddress = address.replace(/[\u0000-\u0020\u007f-\u009f]/g, '');
  const scheme = SCHEME_PATTERN.exec(bareAddress)?.[1]?.toLowerCase();
  return scheme === undefined || SAFE_SCHEMES.has(scheme) || DATA_IMAGE_PATTERN.test(bareAddress);
}

/** @throws MarkupError for an element that the author may not use */
export function assertElementAllowed(element: MarkupElement, { scripts }: MarkupRights): void {
  const name = element.name.toLowerCase().replace(/^.*:/, '');
  if (UNSUPPORTED_ELEMENTS.has(name))
    throw new MarkupError(`The element ${element.name} is not allowed.`, element);
  if (scripts) return;
  if (ACTIVE_ELEMENTS.has(name))
    throw new MarkupError(`The element ${element.name} is allowed only where scripts are allowed.`, element);
  for (const attribute of element.attributes) assertAttributeAllowed(name, attribute);
}

/** Pages may not ask for passwords, because browsers fill them in automatically. */
const isOpenInput = ({ name, value }: MarkupAttribute): boolean =>
  !name.startsWith('t-') && value.trim().toLowerCase() !== 'password';

function assertAttributeAllowed(element: string, attribute: MarkupAttribute): void {
  const name = attribute.name.toLowerCase().replace(/^t-attf?-/, '');
  const isActive =
    name.startsWith('on') ||
    name === 'srcdoc' ||
    (element === 'meta' && name === 'http-equiv') ||
    (element === 'input' && name === 'type' && !isOpenInput(attribute));
  if (isActive)
    throw new MarkupError(
      `The attribute ${attribute.name} is allowed only where scripts are allowed.`,
      attribute,
    );
  if (isAddressAttribute(name) && !attribute.name.startsWith('t-') && !isSafeAddress(attribute.value))
    throw new MarkupError(
      `${attribute.name} contains a URL that is allowed only where scripts are allowed.`,
      attribute,
    );
}
