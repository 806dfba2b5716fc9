export interface Attachment {
  filename: string;
  /** Content in base64, possibly with white space. */
  content: string;
  /** Media type, possibly with parameters. Derived from the file extension if omitted. */
  contentType?: string;
  /** True for an alternative form of the text, such as a calendar invitation (RFC 6047). */
  alternative?: boolean;
  /** Set if the HTML refers to the file with `cid:` (RFC 2392). */
  contentId?: string;
}

const MEDIA_TYPE = /^(?!multipart\/|message\/)[\w.+-]{1,100}\/[\w.+-]{1,100}/i;
const MEDIA_PARAMETER = /; *([\w.+-]{1,60})=(?:"[^"\\\x00-\x1f\x7f-\uffff]*"|[\w.+-]+)/y;

/**
 * Returns true for a media type such as `text/calendar; method=REQUEST` (RFC 2045 5.1). Rejects duplicate parameters.
 */
export function isMediaType(text: string): boolean {
  const names = new Set<string>();
  MEDIA_PARAMETER.lastIndex = MEDIA_TYPE.exec(text)?.[0].length ?? text.length + 1;
  while (MEDIA_PARAMETER.lastIndex < text.length) {
    const name = MEDIA_PARAMETER.exec(text)?.[1]?.toLowerCase();
    if (!name || names.has(name)) return false;
    names.add(name);
  }
  return MEDIA_PARAMETER.lastIndex === text.length && text.length <= MAX_TYPE_LENGTH;
}

const MAX_TYPE_LENGTH = 1000;

export const isContentId = (text: string): boolean => /^[\w.+-]{1,100}(?:@[\w.-]{1,100})?$/.test(text);

/**
 * Counts base64 digits, without white space and padding. Null if the text is not base64. Uses a loop, because a regular
 * expression with a repeated group can exhaust the stack on a long text (RangeError).
 */
export function countBase64Digits(content: string): number | null {
  let digits = 0;
  let pads = 0;
  for (let index = 0; index < content.length; index++) {
    const code = content.charCodeAt(index);
    const kind = CHARACTER_KINDS[code] ?? (/\s/.test(content[index]!) ? BLANK : NONE);
    if (kind === DIGIT && pads === 0) digits++;
    else if (kind === PAD && pads < 2) pads++;
    else if (kind !== BLANK) return null;
  }
  return digits % 4 === 1 ? null : digits;
}

const [NONE, DIGIT, BLANK, PAD] = [0, 1, 2, 3];

/** Classifies ASCII characters for both alphabets of RFC 4648. */
const CHARACTER_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z0-9+/_-]/.test(char)) return DIGIT;
  if (/\s/.test(char)) return BLANK;
  return char === '=' ? PAD : NONE;
});

export const computeByteLength = (digits: number): number => Math.floor((digits * 3) / 4);
