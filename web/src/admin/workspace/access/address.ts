import { givenName, givenText } from '../../operation/given.ts';

/** What is looked at, as it stands behind `?`. */
export interface AccessView {
  /** Technical name of a model. */
  model?: string;
  tab?: AccessTab;
  /** Id of one record of it. */
  record?: string;
  /** Whose access is explained. */
  user?: string;
  operation?: Operation;
}

export const ACCESS_TABS = ['who', 'rights', 'rules', 'explain'] as const;
export type AccessTab = (typeof ACCESS_TABS)[number];

/** As `explainAccess` takes them. */
export const OPERATIONS = ['read', 'create', 'write', 'unlink'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Pure. */
export const accessView = (given: Record<string, unknown>): AccessView => ({
  model: givenText(given.model),
  tab: givenName(ACCESS_TABS, given.tab),
  record: givenId(given.record),
  user: givenId(given.user),
  operation: givenName(OPERATIONS, given.operation),
});

/** Pure. */
export function givenId(value: unknown): string | undefined {
  const text = givenText(value)?.trim();
  return text && /^[1-9]\d{0,8}$/.test(text) ? text : undefined;
}
