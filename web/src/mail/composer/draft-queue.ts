/** What a draft says. What is left out stays as the server has it. */
export interface DraftValues {
  mailbox: string;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  body?: string;
}

/** What the server made of a save. */
export type SaveResult =
  | { state: 'saved'; id: string }
  | { state: 'changed' }
  | { state: 'refused'; message: string }
  | { state: 'offline' };

/** Which draft it is, and the version that is known of it; null for whatever version it has. */
export interface DraftVersion {
  id: string;
  version: number | null;
}

/** How it stands with what was written. */
export type SaveState = 'unchanged' | 'waiting' | 'saving' | 'saved' | 'changed' | 'refused' | 'offline';

interface DraftQueueOptions {
  save(values: DraftValues, draft: DraftVersion | null): Promise<SaveResult>;
  /** Keeps here what the server does not have yet; null once it has. */
  storeLocally(values: DraftValues | null): void;
  onState(state: SaveState, message?: string): void;
}

/** Milliseconds without a change after which a draft is saved. */
export const SAVE_DELAY_MS = 1_000;

/** Milliseconds after which the server is tried again. */
const RETRY_DELAY_MS = 5_000;

export interface DraftQueue {
  readonly draft: DraftVersion | null;
  change(values: DraftValues): void;
  /** Saves what waits. @returns whether the server has everything */
  flush(): Promise<boolean>;
  /** Does something behind all saves, such as sending; none comes in between. */
  runAfterSaves<Value>(task: (draft: DraftVersion | null) => Promise<Value>): Promise<Value>;
  /** After another change of the draft elsewhere: writes over it. */
  keepMine(): Promise<boolean>;
  /** It is left: nothing more is saved, and what the server does not have stays here. */
  stop(): void;
  /** It is given up: nothing of it stays here. */
  discard(): void;
}

/** The saves of one draft, one after the other, each with the version that it has seen. */
export function createDraftQueue(options: DraftQueueOptions, begun: DraftVersion | null): DraftQueue {
  let draft = begun;
  let waiting: DraftValues | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let chain: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let hasConflict = false;

  const scheduleFlush = (pause: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), pause);
  };
  const runInOrder = <Value>(task: () => Promise<Value>): Promise<Value> => {
    const done = chain.then(task);
    chain = done.catch(() => undefined);
    return done;
  };
  const save = async (): Promise<boolean> => {
    clearTimeout(timer);
    const values = waiting;
    if (isStopped || hasConflict || !values) return !hasConflict && !values;
    waiting = null;
    options.onState('saving');
    const saved = await options.save(values, draft);
    if (saved.state === 'saved') {
      const version = draft ? draft.version : 0;
      draft = { id: saved.id, version: version === null ? null : version + 1 };
      if (!waiting) options.storeLocally(null);
      options.onState(waiting ? 'waiting' : 'saved');
      return true;
    }
    waiting ??= values;
    hasConflict = saved.state === 'changed';
    options.onState(saved.state, saved.state === 'refused' ? saved.message : undefined);
    if (saved.state === 'offline' && !isStopped) scheduleFlush(RETRY_DELAY_MS);
    return false;
  };
  const flush = () => runInOrder(save);
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };

  return {
    get draft() {
      return draft;
    },
    change(values) {
      if (isStopped) return;
      waiting = { ...waiting, ...values };
      options.storeLocally(waiting);
      if (hasConflict) return;
      options.onState('waiting');
      scheduleFlush(SAVE_DELAY_MS);
    },
    flush,
    runAfterSaves: (task) => runInOrder(() => task(draft)),
    keepMine() {
      hasConflict = false;
      if (draft) draft = { ...draft, version: null };
      return flush();
    },
    stop,
    discard() {
      stop();
      waiting = null;
      options.storeLocally(null);
    },
  };
}
