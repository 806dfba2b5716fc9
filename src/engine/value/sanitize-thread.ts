import { AppError } from '../../errors.ts';
import { sanitizeFieldHtml } from './sanitize-html.ts';

/** A text, and the field it is for. */
export interface SanitizeRequest {
  html: string;
  where: string;
}

/** A text that was made safe, or why it is refused. */
export type SanitizeOutcome = string | { refusal: string };

/** What `inThread` calls. */
export default (texts: SanitizeRequest[]): SanitizeOutcome[] => texts.map(sanitizeOne);

function sanitizeOne({ html, where }: SanitizeRequest): SanitizeOutcome {
  try {
    return sanitizeFieldHtml(html, where);
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}
