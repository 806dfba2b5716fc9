/** Pages of the settings of mail, in the order of their menu. */
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

/** What stands behind `?` in the settings of mail. */
export interface SettingsView {
  /** Mailbox; the first one without it. */
  mailbox?: number;
  /** The rule that is edited. */
  rule?: number | 'new';
  /** The message that a new rule begins with. */
  like?: number;
}

const parseId = (value: unknown): number | undefined =>
  /^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : undefined;

/** What somebody typed into the address is left out where it means nothing. Pure. */
export const parseSettingsView = ({ mailbox, rule, like }: Record<string, unknown>): SettingsView => ({
  mailbox: parseId(mailbox),
  rule: rule === 'new' ? 'new' : parseId(rule),
  like: parseId(like),
});
