import type { SuppressionReason } from './generated.ts';

export interface SuppressionsView {
  q?: string;
  reason?: SuppressionReason;
}

export const SUPPRESSION_REASONS: SuppressionReason[] = ['HARD_BOUNCE', 'SOFT_BOUNCE', 'COMPLAINT', 'MANUAL'];

export const parseSuppressionsView = ({ q, reason }: Record<string, unknown>): SuppressionsView => ({
  q: (typeof q === 'string' || typeof q === 'number') && q !== '' ? String(q) : undefined,
  reason: SUPPRESSION_REASONS.find((item) => item === reason),
});

export const parsePastedAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n\r,;]+/)
      .map((item) => item.trim())
      .filter(Boolean),
  ),
];
