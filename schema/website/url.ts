import { decodeUriOrKeep } from '../../src/decode-uri.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { isSafeAddress } from '../../src/qweb/policy.ts';

const MAX_PAGE_URL_CHARS = 1_000;

/**
 * Decodes a page's path and normalizes it: with a leading slash, without a trailing slash.
 * @throws VALIDATION with the field's name
 */
export function parsePagePath(pathText: string, field: string): string {
  const path = `/${decodeUriOrKeep(pathText)
    .trim()
    .replace(/^\/+|(?<!\/)\/+$/g, '')}`;
  const isPath =
    path.length <= MAX_PAGE_URL_CHARS && /^\/[^\s?#\\\u0000-\u001f]*$/.test(path) && !path.includes('//');
  if (isPath && !path.split('/').some((part) => part === '.' || part === '..')) return path;
  throw errors
    .validation(`${pathText.slice(0, 100)} is not a valid path. Use a path such as /about-us (${field}).`)
    .withDetails({ argument: field });
}

/** Converts a name to a path segment of ASCII letters, digits and hyphens. */
export function toSlug(name: string): string {
  const plainName = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const slug = plainName
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
  return slug || 'page';
}

/** @throws VALIDATION with the field's name */
export function parseLink(linkText: string, field: string): string {
  const link = linkText.trim();
  const isLink = /^(\/(?![/\\])|#|\?|https?:\/\/|mailto:|tel:)/i.test(link) && isSafeAddress(link);
  if (isLink && link.length <= MAX_PAGE_URL_CHARS && !/\s/.test(link)) return link;
  throw errors
    .validation(
      `${linkText.slice(0, 100)} is not a valid URL. Use a URL such as /about-us or https://example.org ` +
        `(${field}).`,
    )
    .withDetails({ argument: field });
}

/** @throws VALIDATION if the name is empty or too long */
export function parseLabel(labelText: string): string {
  const name = labelText.trim();
  if (name !== '' && name.length <= limits.site.name) return name;
  throw errors
    .validation(`A name must have 1 to ${limits.site.name} characters (name).`)
    .withDetails({ argument: 'name' });
}
