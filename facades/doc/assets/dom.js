/**
 * Creates an element. Omits attributes whose value is false or null, and adds attributes that begin with `on` as
 * listeners. Children are elements or text, never HTML, so server data cannot inject markup.
 * @param {string} tag
 * @param {Record<string, unknown>} attributes
 * @param {...(Node | string | null | undefined | false)} children
 */
export function buildElement(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Returns the text of an HTML string. A parsed document runs no scripts and loads nothing. */
export const extractText = (html) =>
  new DOMParser().parseFromString(html ?? '', 'text/html').body.textContent?.trim() ?? '';

/** @param {string} id */
export const getById = (id) => document.getElementById(id);
