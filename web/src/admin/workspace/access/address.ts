import { parseChoice, parseText } from '../../operation/search-params.ts';

/** What is looked at, as it stands behind `?`. */
export interface AccessView {
  /** Technical name of a model. */
  model?: string;
  tab?: AccessTab;
  /** Id of one record of it. */
  record?: string;
  /** Whose access is explained. */
  user?: string;
  operation?: AccessKind;
}

export const ACCESS_TABS = ['who', 'rights', 'rules', 'explain'] as const;
export type AccessTab = (typeof ACCESS_TABS)[number];

/** As `explainAccess` takes them. */
export const ACCESS_KINDS = ['read', 'create', 'write', 'unlink'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Pure. */
export const parseAccessView = (given: Record<string, unknown>): AccessView => ({
  model: parseText(given.model),
  tab: parseChoice(ACCESS_TABS, given.tab),
  record: parseRecordId(given.record),
  user: parseRecordId(given.user),
  operation: parseChoice(ACCESS_KINDS, given.operation),
});

/** Pure. */
export function parseRecordId(value: unknown): string | undefined {
  const text = parseText(value)?.trim();
  return text && /^[1-9]\d{0,8}$/.test(text) ? text : undefined;
}
