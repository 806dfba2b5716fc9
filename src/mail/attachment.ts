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

/**
 * How many digits a base64 text has, without white space and padding; null when it is none. Counted one by one:
 * a pattern that repeats keeps a stack as long as the text when V8 does not optimize it, as in a process that has
 * compiled many, and ends with a RangeError.
 */
export function base64Digits(content: string): number | null {
  let digits = 0;
  let pads = 0;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    const kind = KINDS[code] ?? (/\s/.test(content[at]!) ? BLANK : NONE);
    if (kind === DIGIT && pads === 0) digits++;
    else if (kind === PAD && pads < 2) pads++;
    else if (kind !== BLANK) return null;
  }
  return digits % 4 === 1 ? null : digits;
}

const [NONE, DIGIT, BLANK, PAD] = [0, 1, 2, 3];

/** What each ASCII character is; both alphabets of RFC 4648. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z0-9+/_-]/.test(char)) return DIGIT;
  if (/\s/.test(char)) return BLANK;
  return char === '=' ? PAD : NONE;
});

/** Bytes that so many digits stand for. */
export const bytesOfDigits = (digits: number): number => Math.floor((digits * 3) / 4);
