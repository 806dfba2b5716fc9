import { createViewParser } from '../../ui/input/search-params.ts';

export const SECTIONS = [
  'rules',
  'auto-reply',
  'signature',
  'blocked',
  'labels',
  'sharing',
  'import',
  'export',
] as const;

export type Section = (typeof SECTIONS)[number];

const parseId = (value: unknown): number | undefined =>
  /^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : undefined;

export const parseSettingsView = createViewParser({
  /** Mailbox id. Default: the first mailbox. */
  mailbox: parseId,
  rule: (value) => (value === 'new' ? 'new' : parseId(value)),
  /** The message that a new rule is based on. */
  like: parseId,
});
