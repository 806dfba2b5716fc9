import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { isSafeAddress } from '../../src/qweb/policy.ts';

/**
 * The path of a page as it is kept: decoded, with a slash in front and none behind, without a query. Pure.
 * @throws VALIDATION that names the field
 */
export function parsePagePath(given: string, field: string): string {
  const path = `/${decodePath(given)
    .trim()
    .replace(/^\/+|\/+$/g, '')}`;
  const isPath =
    path.length <= limits.site.url && /^\/[^\s?#\\\u0000-\u001f]*$/.test(path) && !path.includes('//');
  if (isPath && !path.split('/').some((part) => part === '.' || part === '..')) return path;
  throw errors
    .validation(`${given.slice(0, 100)} is no path such as /about-us (${field}).`)
    .withDetails({ argument: field });
}

/** A path as visitors ask for it, `/caf%C3%A9`, in letters; one that is not encoded so stays as it is. Pure. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A name as a part of a path: letters and digits of ASCII, and hyphens. Pure. */
export function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
  return slug || 'page';
}

/** What a link may lead to. @throws VALIDATION that names the field */
export function parseLink(given: string, field: string): string {
  const link = given.trim();
  const isLink = /^(\/(?![/\\])|#|\?|https?:\/\/|mailto:|tel:)/i.test(link) && isSafeAddress(link);
  if (isLink && link.length <= limits.site.url && !/\s/.test(link)) return link;
  throw errors
    .validation(`${given.slice(0, 100)} is no address such as /about-us or https://example.org (${field}).`)
    .withDetails({ argument: field });
}

/** A name that people read. @throws VALIDATION for one that is empty or too long */
export function parseLabel(given: string): string {
  const name = given.trim();
  if (name !== '' && name.length <= limits.site.name) return name;
  throw errors
    .validation(`A name has between 1 and ${limits.site.name} characters (name).`)
    .withDetails({ argument: 'name' });
}
