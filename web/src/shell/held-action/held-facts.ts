import { buildPreviewTree, type PreviewNode, type PreviewPart } from './preview-tree.ts';

export interface HeldMessage {
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
  /** Source of an HTML message. Otherwise empty. */
  html: string;
  attachments: string[];
  newRecipients: string[];
  problem: string;
}

interface HeldFacts {
  message: HeldMessage | null;
  /** Technical name of the model, or undefined if the action concerns no records. */
  model: string | undefined;
  /** Names of the records, or their ids if they have none. */
  records: string[];
  /** New values by field name. */
  values: PreviewNode[];
  /** All other values that a person should see. */
  others: PreviewNode[];
}

const RECORD_LISTS = ['would_delete', 'would_update'];
const MESSAGE_ARGUMENTS = ['account_id', 'to', 'cc', 'bcc', 'subject', 'body', 'body_html'];

/** Sorts the values of a held action's preview by their meaning, and leaves out repetitions. */
export function readHeldFacts(tool: string, parts: readonly PreviewPart[]): HeldFacts {
  const nodes = buildPreviewTree(parts);
  const args = findChildren(nodes, 'arguments');
  const previewed = [
    ...findChildren(nodes, 'preview'),
    ...nodes.filter(({ name }) => !['preview', 'arguments', ...RECORD_LISTS].includes(name)),
  ].filter((node) => !repeats(node, args));
  const message = tool === 'mail_send' && previewed.length > 0 ? readMessage(previewed, args) : null;
  const records = RECORD_LISTS.flatMap((name) => findChildren(nodes, name)).map(nameRecord);
  const hidden = new Set(['values', ...(message ? MESSAGE_ARGUMENTS : [])]);
  if (records.length > 0) hidden.add('model');
  if (records.length > 0 && records.length === new Set(findTexts(args, 'ids')).size) hidden.add('ids');
  const shownArgs = args.filter(({ name }) => !hidden.has(name));
  return {
    message,
    model: findText(args, 'model') || undefined,
    records,
    values: findChildren(args, 'values'),
    others: message
      ? shownArgs
      : [...previewed, ...shownArgs.filter((arg) => !previewed.some((node) => isSame(node, arg)))],
  };
}

function readMessage(preview: PreviewNode[], args: PreviewNode[]): HeldMessage {
  const html = findText(args, 'body_html');
  const start = findText(preview, 'text_starts');
  const isTruncated = findText(preview, 'text_truncated') === 'true';
  return {
    from: findText(preview, 'from'),
    to: findTexts(preview, 'to'),
    cc: findTexts(preview, 'cc'),
    bcc: findTexts(preview, 'bcc'),
    subject: findText(preview, 'subject'),
    // The preview contains the signature, but only the start of a long text.
    text: isTruncated ? (html ? `${start}…` : findText(args, 'body')) : start,
    html,
    attachments: findTexts(preview, 'attachments'),
    newRecipients: findTexts(preview, 'new_recipients'),
    problem: findText(preview, 'problem'),
  };
}

function nameRecord({ children }: PreviewNode): string {
  const id = findText(children, 'id');
  return findText(children, 'name') || id;
}

const findChildren = (nodes: PreviewNode[], name: string): PreviewNode[] =>
  nodes.find((node) => node.name === name)?.children ?? [];

const findText = (nodes: PreviewNode[], name: string): string =>
  nodes.find((node) => node.name === name)?.value ?? '';

const findTexts = (nodes: PreviewNode[], name: string): string[] =>
  nodes.find((node) => node.name === name)?.values ?? [];

/** True if all parts of a value are arguments, as in the preview of a method call. */
const repeats = ({ children }: PreviewNode, args: PreviewNode[]): boolean =>
  children.length > 0 && children.every((child) => args.some((arg) => isSame(arg, child)));

const isSame = (a: PreviewNode, b: PreviewNode): boolean => JSON.stringify(a) === JSON.stringify(b);
