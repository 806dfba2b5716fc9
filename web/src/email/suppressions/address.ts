import { createChoiceParser, createViewParser, parseText } from '../../ui/input/search-params.ts';
import type { SuppressionReason } from './generated.ts';

export const SUPPRESSION_REASONS: SuppressionReason[] = ['HARD_BOUNCE', 'SOFT_BOUNCE', 'COMPLAINT', 'MANUAL'];

export const parseSuppressionsView = createViewParser({
  q: parseText,
  reason: createChoiceParser(SUPPRESSION_REASONS),
});

export type SuppressionsView = ReturnType<typeof parseSuppressionsView>;

export const parsePastedAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n\r,;]+/)
      .map((item) => item.trim())
      .filter(Boolean),
  ),
];
