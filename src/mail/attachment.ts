/** A file of a message. */
export interface Attachment {
  filename: string;
  /** base64, white space allowed. */
  content: string;
  /** Taken from the file name's extension when absent. */
  contentType?: string;
  /** Set for a file that the HTML shows by `cid:`; RFC 2392. */
  contentId?: string;
}

/** Text that can stand between the angle brackets of Content-ID. */
export const isContentId = (text: string): boolean => /^[\w.+-]{1,100}(?:@[\w.-]{1,100})?$/.test(text);

/** Length of a base64 text without white space and padding; a remainder of 1 by 4 is none that can be. */
export function base64Digits(content: string): number {
  const packed = /\s/.test(content) ? content.replace(/\s+/g, '') : content;
  return packed.length - (packed.endsWith('==') ? 2 : packed.endsWith('=') ? 1 : 0);
}

/** Bytes that so many digits stand for. */
export const bytesOfDigits = (digits: number): number => Math.floor((digits * 3) / 4);
