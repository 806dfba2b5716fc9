/** Changed values of a draft. The server keeps the values that are omitted. */
export interface DraftValues {
  mailbox: string;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  body?: string;
}

export type SaveResult =
  | { state: 'saved'; id: string }
  | { state: 'changed' }
  | { state: 'refused'; message: string }
  | { state: 'offline' };

/** A draft and its last known version. Null disables the version check. */
export interface DraftVersion {
  id: string;
  version: number | null;
}

export type SaveState = 'unchanged' | 'waiting' | 'saving' | 'saved' | 'changed' | 'refused' | 'offline';

interface DraftQueueOptions {
  save(values: DraftValues, draft: DraftVersion | null): Promise<SaveResult>;
  /** Stores unsaved values in the browser. Null removes them. */
  storeLocally(values: DraftValues | null): void;
  onState(state: SaveState, message?: string): void;
}

/** Delay after the last change. */
export const SAVE_DELAY_MS = 1_000;

const RETRY_DELAY_MS = 5_000;

export interface DraftQueue {
  readonly draft: DraftVersion | null;
  change(values: DraftValues): void;
  /**
   * Saves pending changes.
   * @returns true if the server has all changes
   */
  flush(): Promise<boolean>;
  /** Runs a task, such as sending, after all queued saves. Later saves wait for the task. */
  runAfterSaves<Value>(task: (draft: DraftVersion | null) => Promise<Value>): Promise<Value>;
  /** Resolves a conflict by overwriting the server's version. */
  keepMine(): Promise<boolean>;
  /** Stops saving. Unsaved changes remain in the browser. */
  stop(): void;
  /** Stops saving and removes unsaved changes from the browser. */
  discard(): void;
}

/** Saves a draft's changes sequentially, each based on the last known version. */
export function createDraftQueue(options: DraftQueueOptions, initialDraft: DraftVersion | null): DraftQueue {
  let draft = initialDraft;
  let waitingValues: DraftValues | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let chain: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let hasConflict = false;

  const scheduleFlush = (pause: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), pause);
  };
  const runInOrder = <Value>(task: () => Promise<Value>): Promise<Value> => {
    const result = chain.then(task);
    chain = result.catch(() => undefined);
    return result;
  };
  const save = async (): Promise<boolean> => {
    clearTimeout(timer);
    const values = waitingValues;
    if (isStopped || hasConflict || !values) return !hasConflict && !values;
    waitingValues = null;
    options.onState('saving');
    const result = await options.save(values, draft);
    if (result.state === 'saved') {
      const version = draft ? draft.version : 0;
      draft = { id: result.id, version: version === null ? null : version + 1 };
      if (!waitingValues) options.storeLocally(null);
      options.onState(waitingValues ? 'waiting' : 'saved');
      return true;
    }
    waitingValues ??= values;
    hasConflict = result.state === 'changed';
    options.onState(result.state, result.state === 'refused' ? result.message : undefined);
    if (result.state === 'offline' && !isStopped) scheduleFlush(RETRY_DELAY_MS);
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
      waitingValues = { ...waitingValues, ...values };
      options.storeLocally(waitingValues);
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
      waitingValues = null;
      options.storeLocally(null);
    },
  };
}
