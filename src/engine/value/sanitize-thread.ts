import { AppError } from '../../errors.ts';
import { sanitized } from './sanitize-html.ts';

/** A text, and the field it is for. */
export interface Markup {
  html: string;
  where: string;
}

/** A text that was made safe, or why it is refused. */
export type Made = string | { refusal: string };

/** What `inThread` calls. */
export default (texts: Markup[]): Made[] => texts.map(made);

function made({ html, where }: Markup): Made {
  try {
    return sanitized(html, where);
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}
