import { readFromLine } from './from-line.ts';

export const FILE_HEAD_BYTES = 16_384;

/**
 * Detects the kind of a message file from its start: `mbox` for a `From ` separator line, `message` for a header field,
 * `empty`, or `other`.
 */
export function detectFileKind(head: Buffer): 'mbox' | 'message' | 'empty' | 'other' {
  const [first = ''] = head.toString('latin1', countLeadBytes(head)).split('\n');
  if (first.trim() === '') return 'empty';
  if (first.startsWith('From ') && readFromLine(first, true)) return 'mbox';
  return /^[!-9;-~]{1,76}[ \t]*:/.test(first) ? 'message' : 'other';
}

/** Returns the length of the byte order mark and the empty lines at the start of a file. */
export const countLeadBytes = (head: Buffer): number =>
  /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*/.exec(head.toString('latin1', 0, FILE_HEAD_BYTES))![0].length;
