import type { WordField } from './words.ts';

export const folderRoles = ['inbox', 'sent', 'drafts', 'spam', 'trash', 'archive'] as const;
export type FolderRole = (typeof folderRoles)[number];

export const messageStates = ['read', 'unread', 'starred', 'answered'] as const;
type MessageState = (typeof messageStates)[number];

export type AgeUnit = 'day' | 'month' | 'year';

/** A search condition. Strings are as written and contain at least one word. */
export type SearchNode =
  | { kind: 'and' | 'or'; nodes: SearchNode[] }
  | { kind: 'not'; node: SearchNode }
  /** Matches all words of the text, in any field by default. With `prefix`, the last word may be incomplete. */
  | { kind: 'words'; field?: WordField; text: string; prefix: boolean }
  /** Matches the words of the text in sequence. */
  | { kind: 'phrase'; field?: WordField; text: string }
  | { kind: 'is'; state: MessageState }
  | { kind: 'attachment' }
  /** `from` includes the day (YYYY-MM-DD, in the owner's time zone), and `until` excludes it. */
  | { kind: 'day'; side: 'from' | 'until'; day: string }
  /** `newer` includes the exact age, and `older` excludes it. */
  | { kind: 'age'; side: 'newer' | 'older'; count: number; unit: AgeUnit }
  | { kind: 'size'; side: 'larger' | 'smaller'; bytes: number }
  | { kind: 'in'; role: FolderRole | 'anywhere' }
  /** Matches regardless of case and accents. */
  | { kind: 'folder' | 'label'; name: string }
  /** A Message-ID without brackets, a lower-case delivery address, or a thread id. */
  | { kind: 'exact'; of: 'messageId' | 'deliveredTo' | 'thread'; value: string };
