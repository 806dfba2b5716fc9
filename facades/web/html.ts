import { escapeHtml } from '../../src/escape-html.ts';

/** Text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes. */
export type Part = Html | Part[] | string | number | null | undefined | false;

/** A template whose every value is escaped, unless it is HTML itself; null, undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(textOf)));
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return escapeHtml(String(part));
}
