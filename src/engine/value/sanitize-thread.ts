import { AppError } from '../../errors.ts';
import { sanitizeFieldHtml } from './sanitize-html.ts';

export interface SanitizeRequest {
  html: string;
  where: string;
}

export type SanitizeOutcome = string | { refusal: string };

/** Entry point for `runInThread`. */
export default (texts: SanitizeRequest[]): SanitizeOutcome[] => texts.map(sanitizeOne);

function sanitizeOne({ html, where }: SanitizeRequest): SanitizeOutcome {
  try {
    return sanitizeFieldHtml(html, where);
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}
