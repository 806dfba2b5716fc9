import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { buildContactValues } from '../contacts/contact-values.ts';
import { getUnknownVariables, UNSUBSCRIBE_VARIABLES } from '../editor/variables.ts';

interface CampaignTexts {
  subject: string;
  preview_text: string | null;
  html: string;
  /** True if the HTML was generated from the block editor's document. */
  blocks: boolean;
  variables: string[];
}

/**
 * Checks that a campaign uses only its contacts' variables. Recipients would see any other variable unreplaced or as
 * its fallback.
 * @throws BAD_REQUEST that names the field and the variable
 */
export async function checkVariables(ctx: Ctx, campaignId: number): Promise<void> {
  const [row] = await ctx.db.rows<CampaignTexts>(
    sql`select c.subject, c.preview_text, coalesce(c.html, '') as html, c.content is not null as blocks, b.variables
     from svc_campaign c join svc_contact_book b on b.workspace_id = ${ctx.workspace.id} and b.id = c.book_id
     where c.workspace_id = ${ctx.workspace.id} and c.id = ${campaignId}`,
  );
  const { subject, preview_text, html, blocks, variables } = row!;
  const texts = { subject, previewText: preview_text ?? '', [blocks ? 'content' : 'html']: html };
  for (const [field, text] of Object.entries(texts)) {
    const [unknownVariable] = findUnknownVariables([text], variables);
    if (unknownVariable)
      throw errors.badField(
        field,
        `${unknownVariable.written.slice(0, 100)} has no value for any contact; add ${unknownVariable.name} to ` +
          `the book's variables, or remove it.`,
      );
  }
}

export function findUnknownVariables(texts: readonly string[], variables: readonly string[]) {
  const knownNames = new Set([
    ...buildContactValues(EMPTY_CONTACT, variables).keys(),
    ...UNSUBSCRIBE_VARIABLES,
  ]);
  return texts.flatMap((text) => getUnknownVariables(text, knownNames));
}

export const EMPTY_CONTACT = { email: '', first_name: null, last_name: null, properties: {} };
