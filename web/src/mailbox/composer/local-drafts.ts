import type { DraftValues } from './draft-queue.ts';

const STORE = 'drafts';

interface LocalDraft {
  user: string;
  values: DraftValues;
  draft: string | null;
}

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, failed) => {
    const request = indexedDB.open('atrium.mail', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => failed(request.error);
  });

async function runRequest<Value>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const database = await openDatabase();
  try {
    return await new Promise<Value>((resolve, failed) => {
      const request = run(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => failed(request.error);
    });
  } finally {
    database.close();
  }
}

export const storeLocalDraft = (key: string, draft: LocalDraft): Promise<unknown> =>
  runRequest('readwrite', (store) => store.put(draft, key));

export const deleteLocalDraft = (key: string): Promise<unknown> =>
  runRequest('readwrite', (store) => store.delete(key));

/**
 * Returns the drafts that no open page is editing. A page holds a lock named after its draft's key. Returns an empty
 * list without the Web Locks API.
 */
export async function findAbandonedDrafts(user: string): Promise<[key: string, draft: LocalDraft][]> {
  if (!navigator.locks) return [];
  const { held = [] } = await navigator.locks.query();
  const heldNames = new Set(held.map(({ name }) => name));
  const keys = (await runRequest('readonly', (store) => store.getAllKeys())) as string[];
  const drafts = await Promise.all(
    keys.map((key) => runRequest<LocalDraft | undefined>('readonly', (store) => store.get(key))),
  );
  return keys.flatMap((key, index) => {
    const draft = drafts[index];
    return draft?.user === user && !heldNames.has(key) ? [[key, draft]] : [];
  });
}

/**
 * Locks a draft for this page.
 * @returns a function that releases the lock
 */
export function lockLocalDraft(key: string): () => void {
  let release = () => {};
  const heldLock = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(key, () => heldLock);
  return release;
}
