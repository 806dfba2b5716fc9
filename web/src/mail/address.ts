import type { MailboxesQuery } from './generated.ts';

/** What stands behind `?` while mail is read. */
export interface MailView {
  /** A search, in the language of the server. */
  q?: string;
  /** The message that is open. */
  m?: number;
}

export type Folder = MailboxesQuery['mailState']['folders'][number];
export type Mailbox = MailboxesQuery['mailState']['accounts'][number];
export type Label = MailboxesQuery['mailState']['labels'][number];
export type MailFeature = MailboxesQuery['mailState']['features'][number];
export type MailState = MailboxesQuery['mailState'];

/** Whether a feature of mail is on. Pure. */
export const isFeatureOn = ({ features }: { features: readonly MailFeature[] }, name: string): boolean =>
  features.some(({ key, isOn }) => isOn && key === name);

const parseText = (value: unknown): string | undefined => {
  const given = typeof value === 'number' ? String(value) : value;
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined;
};

/** What somebody typed into the address is left out where it means nothing. Pure. */
export const parseMailView = ({ q, m }: Record<string, unknown>): MailView => {
  const message = parseText(m);
  return { q: parseText(q), m: message && /^\d{1,15}$/.test(message) ? Number(message) : undefined };
};

/** What stands behind `?` where a message is begun. */
export interface WriteView {
  to?: string;
  subject?: string;
  /** A draft to go on with. */
  draft?: number;
}

/** Pure. */
export const parseWriteView = ({ to, subject, draft }: Record<string, unknown>): WriteView => ({
  to: parseText(to),
  subject: parseText(subject),
  draft: parseMailView({ m: draft }).m,
});

/** How a folder stands in an address: those that every mailbox has by what they are. Pure. */
export const getFolderSlug = ({ type, id }: Pick<Folder, 'type' | 'id'>): string => type ?? id;

/** The folder of a mailbox that an address names. Pure. */
export const findFolder = (folders: readonly Folder[], mailbox: string, name: string): Folder | undefined =>
  folders.find((folder) => folder.accountId === mailbox && getFolderSlug(folder) === name);

/** The folders of a mailbox. Pure. */
export const getFolders = (folders: readonly Folder[], mailbox: string): Folder[] =>
  folders.filter(({ accountId }) => accountId === mailbox);
