import type { WordField } from './words.ts';

/** Folders every mailbox has. */
export const folderRoles = ['inbox', 'sent', 'drafts', 'spam', 'trash', 'archive'] as const;
export type FolderRole = (typeof folderRoles)[number];

export const messageStates = ['read', 'unread', 'starred', 'answered'] as const;
export type MessageState = (typeof messageStates)[number];

export type AgeUnit = 'day' | 'month' | 'year';

/** What a search asks of a message. Texts are as they were written and hold a word each. */
export type SearchNode =
  | { kind: 'and' | 'or'; nodes: SearchNode[] }
  | { kind: 'not'; node: SearchNode }
  /** All words of the text; with `prefix` the last one may go on. Without a field, anywhere. */
  | { kind: 'words'; field?: WordField; text: string; prefix: boolean }
  /** The words of the text one after another. */
  | { kind: 'phrase'; field?: WordField; text: string }
  | { kind: 'is'; state: MessageState }
  | { kind: 'attachment' }
  /** `from` includes the day (YYYY-MM-DD, in the owner's zone), `until` excludes it. */
  | { kind: 'day'; side: 'from' | 'until'; day: string }
  /** `newer` is at most as old, `older` is older. */
  | { kind: 'age'; side: 'newer' | 'older'; count: number; unit: AgeUnit }
  /** More or fewer bytes of the raw message. */
  | { kind: 'size'; side: 'larger' | 'smaller'; bytes: number }
  | { kind: 'in'; role: FolderRole | 'anywhere' }
  /** A folder or label by its name, of any case and accents. */
  | { kind: 'folder' | 'label'; name: string }
  /** A Message-ID without brackets, an address that mail was delivered to in lower case, or the number of a thread. */
  | { kind: 'exact'; of: 'messageId' | 'deliveredTo' | 'thread'; value: string };
