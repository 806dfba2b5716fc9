import { sanitized } from './sanitize-html.ts';

/** A text, and the field it is for. */
export interface Markup {
  html: string;
  where: string;
}

/** What `inThread` calls. @throws as `sanitized` */
export default (texts: Markup[]): string[] => texts.map(({ html, where }) => sanitized(html, where));
