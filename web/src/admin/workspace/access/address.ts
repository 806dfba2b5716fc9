import { createChoiceParser, createViewParser, parseText } from '../../../ui/input/search-params.ts';

export const ACCESS_TABS = ['who', 'rights', 'rules', 'explain'] as const;

/** Values of the `explainAccess` argument. */
export const ACCESS_KINDS = ['read', 'create', 'write', 'unlink'] as const;

export function parseRecordId(value: unknown): string | undefined {
  const text = parseText(value)?.trim();
  return text && /^[1-9]\d{0,8}$/.test(text) ? text : undefined;
}

export const parseAccessView = createViewParser({
  model: parseText,
  tab: createChoiceParser(ACCESS_TABS),
  record: parseRecordId,
  /** The user whose access is explained. */
  user: parseRecordId,
  operation: createChoiceParser(ACCESS_KINDS),
});

export type AccessView = ReturnType<typeof parseAccessView>;
