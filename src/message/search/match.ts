import { findMessageIds } from '../thread/refs.ts';
import { matchesFoldedName } from './operators.ts';
import type { AgeUnit, FolderRole, SearchNode } from './tree.ts';
import {
  containsPhrase,
  extractMessageWords,
  extractQueryWords,
  type WordField,
  type WordSources,
} from './words.ts';

export interface SearchedMessage extends WordSources {
  messageId?: string;
  /** Envelope recipients. */
  deliveredTo?: readonly string[];
  thread?: string;
  /** True if the message has files that are not inline. */
  hasAttachments: boolean;
  size: number;
  date: Date;
  isRead: boolean;
  isStarred: boolean;
  isAnswered: boolean;
  /** Null for a custom folder. */
  folderRole: FolderRole | null;
  folderName: string;
  labels: readonly string[];
}

export interface SearchClock {
  now: Date;
  /** Returns the start of a day (YYYY-MM-DD) in the owner's time zone. */
  startOfDay(day: string): Date;
}

/**
 * Evaluates a search on one message. Uses the same tokenizer as the index, so that both return the same results. A null
 * tree matches every message.
 */
export function matchesSearch(
  tree: SearchNode | null,
  message: SearchedMessage,
  clock: SearchClock,
): boolean {
  let words: ReadonlySet<string> | undefined;
  const scan: MatchContext = {
    message,
    clock,
    words: () => {
      words ??= new Set(extractMessageWords(message));
      return words;
    },
  };
  return tree === null || matchNode(tree, scan);
}

/** Returns true if the search specifies folders. They override any other choice of folders. */
export function namesFolders(tree: SearchNode | null): boolean {
  if (tree === null) return false;
  if (tree.kind === 'and' || tree.kind === 'or') return tree.nodes.some(namesFolders);
  return tree.kind === 'not' ? namesFolders(tree.node) : tree.kind === 'in' || tree.kind === 'folder';
}

/** Subtracts days, months or years in UTC. The 31st becomes the last day of a shorter month. */
export function subtractAge(now: Date, count: number, unit: AgeUnit): Date {
  const moment = new Date(now);
  if (unit === 'day') moment.setUTCDate(moment.getUTCDate() - count);
  else moment.setUTCMonth(moment.getUTCMonth() - count * (unit === 'year' ? 12 : 1));
  if (unit !== 'day' && moment.getUTCDate() !== now.getUTCDate()) moment.setUTCDate(0);
  return moment;
}

interface MatchContext {
  message: SearchedMessage;
  clock: SearchClock;
  /** Computed on first use. */
  words(): ReadonlySet<string>;
}

function matchNode(node: SearchNode, scan: MatchContext): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((node) => matchNode(node, scan));
    case 'or':
      return node.nodes.some((node) => matchNode(node, scan));
    case 'not':
      return !matchNode(node.node, scan);
    case 'words':
      return extractQueryWords(node.text, node.field, node.prefix).every(({ word, prefix }) =>
        prefix ? hasWordWithPrefix(scan.words(), word) : scan.words().has(word),
      );
    case 'phrase':
      return getFieldTexts(scan.message, node.field).some((text) => containsPhrase(text, node.text));
    default:
      return matchFilter(node, scan);
  }
}

function hasWordWithPrefix(words: ReadonlySet<string>, start: string): boolean {
  for (const word of words) if (word.startsWith(start)) return true;
  return false;
}

type FilterNode = Exclude<SearchNode, { kind: 'and' | 'or' | 'not' | 'words' | 'phrase' }>;

function matchFilter(node: FilterNode, { message, clock }: MatchContext): boolean {
  switch (node.kind) {
    case 'is':
      return getStates(message)[node.state];
    case 'attachment':
      return message.hasAttachments;
    case 'size':
      return node.side === 'larger' ? message.size > node.bytes : message.size < node.bytes;
    case 'day':
      return message.date >= clock.startOfDay(node.day) === (node.side === 'from');
    case 'age':
      return message.date >= subtractAge(clock.now, node.count, node.unit) === (node.side === 'newer');
    case 'in':
      return node.role === 'anywhere' || node.role === message.folderRole;
    case 'folder':
      return matchesFoldedName(node.name, message.folderName);
    case 'label':
      return message.labels.some((label) => matchesFoldedName(label, node.name));
    case 'exact':
      return getExactValues(message, node.of).includes(node.value);
  }
}

const getStates = ({ isRead, isStarred, isAnswered }: SearchedMessage) => ({
  read: isRead,
  unread: !isRead,
  starred: isStarred,
  answered: isAnswered,
});

function getExactValues(message: SearchedMessage, key: 'messageId' | 'deliveredTo' | 'thread'): string[] {
  if (key === 'messageId') return findMessageIds(message.messageId ?? '');
  if (key === 'thread') return message.thread === undefined ? [] : [message.thread];
  return (message.deliveredTo ?? []).map((address) => address.toLowerCase());
}

/** Returns the strings that are searched for a phrase. A phrase cannot span two strings. */
function getFieldTexts(message: SearchedMessage, field?: WordField): readonly string[] {
  const { subject, from, to, cc = [], bcc = [], attachments, listId = '', text } = message;
  const fields: Record<WordField, readonly string[]> = {
    subject: [subject],
    from: [from],
    to: [...to, ...cc],
    cc,
    bcc,
    attachment: attachments,
    list: [listId],
  };
  return field ? fields[field] : [subject, from, ...to, ...cc, ...bcc, ...attachments, text];
}
