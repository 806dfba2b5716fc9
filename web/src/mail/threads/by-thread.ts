import { change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { sayWrong } from '../../ui/toasts.tsx';
import { isFeatureOn, type MailState } from '../address.ts';
import type { Place } from '../place.ts';
import { MailThreadsStateDocument, MailThreadsStateSaveDocument } from './generated.ts';

/** The name under which the server keeps it for a person. */
const NAME = 'mail.byThread';

/** Whether a list has a row a conversation, and the way to change that; no way where a list has messages alone. */
export interface ByThread {
  isOn: boolean;
  toggle?(): void;
}

/** Conversations are listed in folders; what a search finds are messages. */
export function useByThread(state: MailState, place: Place, q: string | undefined): ByThread {
  const { data, reload } = useAnswer(MailThreadsStateDocument, {});
  const kept = (data?.uiState.values as Record<string, unknown> | undefined)?.[NAME] === true;
  if (!canThread(state, place, q)) return { isOn: false };
  const keep = async () => {
    try {
      await change(MailThreadsStateSaveDocument, { values: { [NAME]: !kept } });
      reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
    }
  };
  return { isOn: kept, toggle: () => void keep() };
}

const canThread = (state: MailState, { kind, folder }: Place, q: string | undefined): boolean =>
  kind === 'folder' && folder.type !== 'drafts' && !q && isFeatureOn(state, 'mail.threading');
