import { useUiState } from '../../shell/ui-state.ts';
import { isFeatureOn, type MailState } from '../address.ts';
import type { MailLocation } from '../mail-location.ts';

/** Without `toggle`, the list cannot be grouped by conversation. */
export interface Threading {
  isOn: boolean;
  toggle?(): void;
}

/** Only folders can be grouped by conversation. Searches return messages. */
export function useThreading(state: MailState, location: MailLocation, q: string | undefined): Threading {
  const { value, keep } = useUiState('mail.byThread');
  const isOn = value === true;
  return canThread(state, location, q) ? { isOn, toggle: () => void keep(!isOn) } : { isOn: false };
}

const canThread = (state: MailState, { kind, folder }: MailLocation, q: string | undefined): boolean =>
  kind === 'folder' && folder.type !== 'drafts' && !q && isFeatureOn(state, 'mail.threading');
