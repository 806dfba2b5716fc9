import type { SuppressionReason } from './generated.ts';

/** What the suppression list shows, as it stands behind `?`. */
export interface SuppressionsView {
  /** Part of an address. */
  q?: string;
  reason?: SuppressionReason;
}

export const SUPPRESSION_REASONS: SuppressionReason[] = ['HARD_BOUNCE', 'SOFT_BOUNCE', 'COMPLAINT', 'MANUAL'];

/** Pure. */
export const parseSuppressionsView = ({ q, reason }: Record<string, unknown>): SuppressionsView => ({
  q: (typeof q === 'string' || typeof q === 'number') && q !== '' ? String(q) : undefined,
  reason: SUPPRESSION_REASONS.find((each) => each === reason),
});

/** Addresses that were pasted, in lines or separated by commas or semicolons, each once. Pure. */
export const parsePastedAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n\r,;]+/)
      .map((each) => each.trim())
      .filter(Boolean),
  ),
];
