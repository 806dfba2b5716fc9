import { sanitizeFieldHtml } from '../engine/value/sanitize-html.ts';
import { convertHtmlToText, readVisibleText } from '../message/html-text.ts';
import { extractReply } from '../message/parse/text-reply.ts';
import { insertSignature } from '../message/signature.ts';

/** Pure functions that take more than 100 ms for the longest accepted texts. */
const TEXT_FUNCTIONS = {
  extractReply,
  convertHtmlToText,
  insertSignature,
  readIfHidden,
  sanitizeFieldHtml,
};

export type TextFunctions = typeof TEXT_FUNCTIONS;

export interface TextCall {
  name: keyof TextFunctions;
  args: unknown[];
}

/** Returns the visible text of each HTML text with hidden text. Null for other texts. */
function readIfHidden(texts: readonly string[]): (string | null)[] {
  return texts.map((html) => {
    const { text, leftOut } = readVisibleText(html);
    return leftOut ? text : null;
  });
}

/** Runs in the main thread or in a worker thread, which can receive only data. */
export default function callTextFunction({ name, args }: TextCall): unknown {
  // The type of `processText` guarantees the function's own arguments.
  return (TEXT_FUNCTIONS[name] as (...args: unknown[]) => unknown)(...args);
}
