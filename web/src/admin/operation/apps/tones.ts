import type { StatusTone } from '../../../ui/status-badge.tsx';
import type { AppState } from './generated.ts';

export const APP_TONES: Record<AppState, StatusTone> = {
  INSTALLED: 'good',
  UNINSTALLED: 'plain',
  TO_REMOVE: 'waiting',
};
