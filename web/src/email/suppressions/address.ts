import { parseChoice, parseText, type SearchParams } from '../../ui/input/search-params.ts';
import type { SuppressionReason } from './generated.ts';

export interface SuppressionsView {
  q?: string;
  reason?: SuppressionReason;
}

export const SUPPRESSION_REASONS: SuppressionReason[] = ['HARD_BOUNCE', 'SOFT_BOUNCE', 'COMPLAINT', 'MANUAL'];

export const parseSuppressionsView = ({ q, reason }: SearchParams): SuppressionsView => ({
  q: parseText(q),
  reason: parseChoice(SUPPRESSION_REASONS, reason),
});

export const parsePastedAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n\r,;]+/)
      .map((item) => item.trim())
      .filter(Boolean),
  ),
];
