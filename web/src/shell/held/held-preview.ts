/** The preview of a held action: a sentence for the reviewer, and its data. */
export interface HeldPreview {
  /** Such as `delete 1 record of crm.lead`. Empty if the server sends none. */
  summary: string;
  details: string;
}

/** Splits the server's preview at its message, such as `message: This would delete 1 record of crm.lead.` */
export function parseHeldPreview(preview: string): HeldPreview {
  const [, summary = '', details = ''] = /^message: This would ([^\n]*)\.(?:\n(.*))?$/s.exec(preview) ?? [];
  return summary === '' ? { summary, details: preview } : { summary, details };
}
