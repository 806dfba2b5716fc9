import { parseChoice, parseText } from '../../../ui/input/search-params.ts';

export interface AccessView {
  model?: string;
  tab?: AccessTab;
  record?: string;
  /** The user whose access is explained. */
  user?: string;
  operation?: AccessKind;
}

export const ACCESS_TABS = ['who', 'rights', 'rules', 'explain'] as const;
type AccessTab = (typeof ACCESS_TABS)[number];

/** Values of the `explainAccess` argument. */
export const ACCESS_KINDS = ['read', 'create', 'write', 'unlink'] as const;
type AccessKind = (typeof ACCESS_KINDS)[number];

export const parseAccessView = (params: Record<string, unknown>): AccessView => ({
  model: parseText(params.model),
  tab: parseChoice(ACCESS_TABS, params.tab),
  record: parseRecordId(params.record),
  user: parseRecordId(params.user),
  operation: parseChoice(ACCESS_KINDS, params.operation),
});

export function parseRecordId(value: unknown): string | undefined {
  const text = parseText(value)?.trim();
  return text && /^[1-9]\d{0,8}$/.test(text) ? text : undefined;
}
