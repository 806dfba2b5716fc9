import type { StatusTone } from '../../../ui/status-badge.tsx';
import type { HeldActionState, McpCallOutcome } from './generated.ts';

export const OUTCOME_TONES: Record<McpCallOutcome, StatusTone> = {
  DONE: 'good',
  ASKED: 'plain',
  HELD: 'waiting',
  REFUSED: 'bad',
};

export const HELD_TONES: Record<HeldActionState, StatusTone> = {
  WAITING: 'waiting',
  RUNNING: 'waiting',
  DONE: 'good',
  FAILED: 'bad',
  REFUSED: 'plain',
  EXPIRED: 'plain',
};
