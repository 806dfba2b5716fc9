import { messageIdsIn } from '../thread/refs.ts';
import { sameName } from './operators.ts';
import type { AgeUnit, FolderRole, SearchNode } from './tree.ts';
import { holdsPhrase, type WordField, type WordSources, wordsOfMessage, wordsOfQuery } from './words.ts';

/** A message as a search sees it. */
export interface SearchedMessage extends WordSources {
  messageId?: string;
  /** Addresses of the envelope. */
  deliveredTo?: readonly string[];
  thread?: string;
  /** Whether it has files beside what is shown in its text; they need no names. */
  hasAttachments: boolean;
  /** Bytes of the raw message. */
  size: number;
  date: Date;
  isRead: boolean;
  isStarred: boolean;
  isAnswered: boolean;
  /** Null is a folder of the owner's own. */
  folderRole: FolderRole | null;
  folderName: string;
  labels: readonly string[];
}

/** What dates of a search mean to the one who asks. */
export interface SearchClock {
  now: Date;
  /** When a day, YYYY-MM-DD, begins in the owner's zone. */
  startOfDay(day: string): Date;
}

/**
 * Whether a message is one that a search asks for, by a look at the message alone. It agrees with what the index
 * finds: words come from the same tokenizer. Null matches every message.
 */
export function matches(tree: SearchNode | null, message: SearchedMessage, clock: SearchClock): boolean {
  let words: ReadonlySet<string> | undefined;
  const scan: Scan = {
    message,
    clock,
    words: () => {
      words ??= new Set(wordsOfMessage(message));
      return words;
    },
  };
  return tree === null || matchNode(tree, scan);
}

/** Whether the search says in which folders to look, so that no other choice of folders holds. */
export function namesFolders(tree: SearchNode | null): boolean {
  if (tree === null) return false;
  if (tree.kind === 'and' || tree.kind === 'or') return tree.nodes.some(namesFolders);
  return tree.kind === 'not' ? namesFolders(tree.node) : tree.kind === 'in' || tree.kind === 'folder';
}

/** The moment so many days, months or years ago, in UTC; the 31st becomes the last day of a shorter month. */
export function momentBefore(now: Date, count: number, unit: AgeUnit): Date {
  const moment = new Date(now);
  if (unit === 'day') moment.setUTCDate(moment.getUTCDate() - count);
  else moment.setUTCMonth(moment.getUTCMonth() - count * (unit === 'year' ? 12 : 1));
  if (unit !== 'day' && moment.getUTCDate() !== now.getUTCDate()) moment.setUTCDate(0);
  return moment;
}

interface Scan {
  message: SearchedMessage;
  clock: SearchClock;
  /** Made when first asked for. */
  words(): ReadonlySet<string>;
}

function matchNode(node: SearchNode, scan: Scan): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((each) => matchNode(each, scan));
    case 'or':
      return node.nodes.some((each) => matchNode(each, scan));
    case 'not':
      return !matchNode(node.node, scan);
    case 'words':
      return wordsOfQuery(node.text, node.field, node.prefix).every(({ word, prefix }) =>
        prefix ? startsAny(scan.words(), word) : scan.words().has(word),
      );
    case 'phrase':
      return textsOf(scan.message, node.field).some((text) => holdsPhrase(text, node.text));
    default:
      return matchFact(node, scan);
  }
}

function startsAny(words: ReadonlySet<string>, start: string): boolean {
  for (const word of words) if (word.startsWith(start)) return true;
  return false;
}

type Fact = Exclude<SearchNode, { kind: 'and' | 'or' | 'not' | 'words' | 'phrase' }>;

function matchFact(node: Fact, { message, clock }: Scan): boolean {
  switch (node.kind) {
    case 'is':
      return stateOf(message)[node.state];
    case 'attachment':
      return message.hasAttachments;
    case 'size':
      return node.side === 'larger' ? message.size > node.bytes : message.size < node.bytes;
    case 'day':
      return message.date >= clock.startOfDay(node.day) === (node.side === 'from');
    case 'age':
      return message.date >= momentBefore(clock.now, node.count, node.unit) === (node.side === 'newer');
    case 'in':
      return node.role === 'anywhere' || node.role === message.folderRole;
    case 'folder':
      return sameName(node.name, message.folderName);
    case 'label':
      return message.labels.some((label) => sameName(label, node.name));
    case 'exact':
      return exactOf(message, node.of).includes(node.value);
  }
}

const stateOf = ({ isRead, isStarred, isAnswered }: SearchedMessage) => ({
  read: isRead,
  unread: !isRead,
  starred: isStarred,
  answered: isAnswered,
});

function exactOf(message: SearchedMessage, of: 'messageId' | 'deliveredTo' | 'thread'): string[] {
  if (of === 'messageId') return messageIdsIn(message.messageId ?? '');
  if (of === 'thread') return message.thread === undefined ? [] : [message.thread];
  return (message.deliveredTo ?? []).map((address) => address.toLowerCase());
}

/** The texts in each of which a phrase may stand. */
function textsOf(message: SearchedMessage, field?: WordField): readonly string[] {
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
