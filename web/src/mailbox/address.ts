import type { MailboxesQuery } from './generated.ts';

export interface MailView {
  q?: string;
  m?: number;
}

export type Folder = MailboxesQuery['mailState']['folders'][number];
export type Mailbox = MailboxesQuery['mailState']['accounts'][number];
export type Label = MailboxesQuery['mailState']['labels'][number];
type MailFeature = MailboxesQuery['mailState']['features'][number];
export type MailState = MailboxesQuery['mailState'];

export const isFeatureOn = ({ features }: { features: readonly MailFeature[] }, name: string): boolean =>
  features.some(({ key, isOn }) => isOn && key === name);

const parseText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
};

export const parseMailView = ({ q, m }: Record<string, unknown>): MailView => {
  const message = parseText(m);
  return { q: parseText(q), m: message && /^\d{1,15}$/.test(message) ? Number(message) : undefined };
};

interface WriteView {
  to?: string;
  subject?: string;
  draft?: number;
}

export const parseWriteView = ({ to, subject, draft }: Record<string, unknown>): WriteView => ({
  to: parseText(to),
  subject: parseText(subject),
  draft: parseMailView({ m: draft }).m,
});

/** Returns the folder's URL segment: the type of a system folder, or the id of any other folder. */
export const getFolderSlug = ({ type, id }: Pick<Folder, 'type' | 'id'>): string => type ?? id;

export const findFolder = (folders: readonly Folder[], mailbox: string, name: string): Folder | undefined =>
  folders.find((folder) => folder.accountId === mailbox && getFolderSlug(folder) === name);

export const getFolders = (folders: readonly Folder[], mailbox: string): Folder[] =>
  folders.filter(({ accountId }) => accountId === mailbox);
