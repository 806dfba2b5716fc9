import { createViewParser } from '../ui/input/search-params.ts';
import type { MailboxesQuery } from './generated.ts';

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

function parseNumber(value: unknown): number | undefined {
  const text = parseText(value);
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export const parseMailView = createViewParser({ q: parseText, m: parseNumber });

export type MailView = ReturnType<typeof parseMailView>;

export const parseWriteView = createViewParser({ to: parseText, subject: parseText, draft: parseNumber });

/** Returns the folder's URL segment: the type of a system folder, or the id of any other folder. */
export const getFolderSlug = ({ type, id }: Pick<Folder, 'type' | 'id'>): string => type ?? id;

export const findFolder = (folders: readonly Folder[], mailbox: string, name: string): Folder | undefined =>
  folders.find((folder) => folder.accountId === mailbox && getFolderSlug(folder) === name);

export const getFolders = (folders: readonly Folder[], mailbox: string): Folder[] =>
  folders.filter(({ accountId }) => accountId === mailbox);
