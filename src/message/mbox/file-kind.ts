import { parseFromLine } from './from-line.ts';

export const FILE_HEAD_BYTES = 16_384;

/** Detects `mbox` by a `From ` separator line, and `message` by a header field. */
export function detectFileKind(head: Buffer): 'mbox' | 'message' | 'empty' | 'other' {
  const [first = ''] = head.toString('latin1', countLeadBytes(head)).split('\n');
  if (first.trim() === '') return 'empty';
  if (first.startsWith('From ') && parseFromLine(first, true)) return 'mbox';
  return /^[!-9;-~]{1,76}[ \t]*:/.test(first) ? 'message' : 'other';
}

/** Counts the bytes of a byte order mark and empty lines at the start of a file. */
export const countLeadBytes = (head: Buffer): number =>
  /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*/.exec(head.toString('latin1', 0, FILE_HEAD_BYTES))![0].length;
