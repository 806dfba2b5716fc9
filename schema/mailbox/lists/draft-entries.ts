import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { convertHtmlToText } from '../../../src/message/html-text.ts';
import { type DraftRow, loadDrafts } from '../compose/draft-read.ts';
import type { PageRange } from '../kit/list-page.ts';

/** Lists the caller's drafts in a mailbox as rows of its Drafts folder. */
export async function loadDraftEntries(
  ctx: Ctx,
  folder: { id: number; account_id: number },
  search: string,
  { offset, limit }: PageRange,
) {
  const { drafts, count } = await loadDrafts(ctx, folder.account_id, search, offset, limit);
  return { entries: drafts.map((draft) => toEntryRow(ctx, folder.id, draft)), count };
}

/** Only the start of the body is converted for the snippet. */
const MAX_SNIPPET_SOURCE_CHARS = 2_000;

const toEntryRow = (ctx: Ctx, folderId: number, draft: DraftRow) => ({
  draft_id: draft.draft_id,
  account_id: draft.account_id,
  folder_id: folderId,
  subject: draft.subject,
  from_name: ctx.principal?.name ?? '',
  from_email: '',
  to: draft.to,
  date: draft.write_date,
  is_read: true,
  is_starred: false,
  is_answered: false,
  snippet: convertHtmlToText(draft.body.slice(0, MAX_SNIPPET_SOURCE_CHARS))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200),
  size: draft.body.length,
  attachment_count: 0,
  label_ids: [],
});
