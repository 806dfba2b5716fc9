import { parseChoice, parseText } from '../../operation/search-params.ts';

/** Search parameters of the access page. */
export interface AccessView {
  model?: string;
  tab?: AccessTab;
  record?: string;
  /** Id of the user whose access is explained. */
  user?: string;
  operation?: AccessKind;
}

export const ACCESS_TABS = ['who', 'rights', 'rules', 'explain'] as const;
export type AccessTab = (typeof ACCESS_TABS)[number];

/** Values of the `explainAccess` argument. */
export const ACCESS_KINDS = ['read', 'create', 'write', 'unlink'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

export const parseAccessView = (given: Record<string, unknown>): AccessView => ({
  model: parseText(given.model),
  tab: parseChoice(ACCESS_TABS, given.tab),
  record: parseRecordId(given.record),
  user: parseRecordId(given.user),
  operation: parseChoice(ACCESS_KINDS, given.operation),
});

export function parseRecordId(value: unknown): string | undefined {
  const text = parseText(value)?.trim();
  return text && /^[1-9]\d{0,8}$/.test(text) ? text : undefined;
}
