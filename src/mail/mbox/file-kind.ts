import { readFromLine } from './from-line.ts';

/** Bytes at the beginning of a file that show what it is. */
export const FILE_HEAD_BYTES = 16_384;

/**
 * What a file of messages is by its beginning: `mbox` where a line `From ` separates messages, `message` where a header
 * field stands, `empty`, or `other`.
 */
export function detectFileKind(head: Buffer): 'mbox' | 'message' | 'empty' | 'other' {
  const [first = ''] = head.toString('latin1', countLeadBytes(head)).split('\n');
  if (first.trim() === '') return 'empty';
  if (first.startsWith('From ') && readFromLine(first, true)) return 'mbox';
  return /^[!-9;-~]{1,76}[ \t]*:/.test(first) ? 'message' : 'other';
}

/** Bytes of the byte order mark and the empty lines that a file begins with. */
export const countLeadBytes = (head: Buffer): number =>
  /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*/.exec(head.toString('latin1', 0, FILE_HEAD_BYTES))![0].length;
