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

interface SettingsView {
  /** Mailbox id. Default: the first mailbox. */
  mailbox?: number;
  rule?: number | 'new';
  /** The message that a new rule is based on. */
  like?: number;
}

const parseId = (value: unknown): number | undefined =>
  /^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : undefined;

export const parseSettingsView = ({ mailbox, rule, like }: Record<string, unknown>): SettingsView => ({
  mailbox: parseId(mailbox),
  rule: rule === 'new' ? 'new' : parseId(rule),
  like: parseId(like),
});
