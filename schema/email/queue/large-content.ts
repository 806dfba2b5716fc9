import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Attachment } from '../../../src/message/attachment.ts';
import type { LargeContent } from '../accept/email-draft.ts';
import type { ClaimedEmail } from './claim.ts';

/** Limits memory use. Requests are served in order. */
export interface MemoryBudget {
  /**
   * Waits until `bytes` are free. A request larger than the budget gets all of it.
   * @returns a function that releases the memory
   * @throws the signal's reason
   */
  take(bytes: number, signal: AbortSignal): Promise<() => void>;
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let used = 0;
  const waitingRequests: { bytes: number; start(): void }[] = [];

  function startNextRequests(): void {
    while (waitingRequests[0] && (used === 0 || used + waitingRequests[0].bytes <= maxBytes)) {
      used += waitingRequests[0].bytes;
      waitingRequests.shift()!.start();
    }
  }

  function free(bytes: number): () => void {
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      used -= bytes;
      startNextRequests();
    };
  }

  return {
    take: (bytes, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const place = { bytes, start };
        function start(): void {
          signal.removeEventListener('abort', leaveQueue);
          resolve(free(bytes));
        }
        function leaveQueue(): void {
          waitingRequests.splice(waitingRequests.indexOf(place), 1);
          reject(signal.reason);
          startNextRequests();
        }
        signal.addEventListener('abort', leaveQueue, { once: true });
        waitingRequests.push(place);
        startNextRequests();
      }),
  };
}

/** Returns null if the email was deleted. */
export async function loadLargeContent(
  db: Db,
  { workspace_id, id }: ClaimedEmail,
): Promise<LargeContent | null> {
  const [textContent] = await db.rows<Omit<LargeContent, 'attachments'>>(
    sql`select html, text, headers from svc_email where workspace_id = ${workspace_id} and id = ${id}`,
  );
  return textContent ? { ...textContent, attachments: await loadFiles(db, workspace_id, id) } : null;
}

/** Loads the files as rows, because parsing JSON would hold their content in memory twice. */
async function loadFiles(db: Db, workspaceId: number, id: number): Promise<Attachment[]> {
  const files = await db.rows<{ [K in keyof Attachment]-?: Attachment[K] | null }>(
    sql`select f->>'filename' as filename, f->>'contentType' as "contentType", f->>'contentId' as "contentId",
       f->>'content' as content
     from svc_email m cross join jsonb_array_elements(m.attachments) with ordinality a(f, place)
     where m.workspace_id = ${workspaceId} and m.id = ${id} and jsonb_typeof(m.attachments) = 'array' order by place`,
  );
  return files.map(({ filename, content, contentType, contentId }) => ({
    filename: filename ?? '',
    content: content ?? '',
    ...(contentType && { contentType }),
    ...(contentId && { contentId }),
  }));
}
