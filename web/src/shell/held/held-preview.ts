/** The preview of a held action: a sentence for the person who decides, and the data behind it. */
export interface HeldPreview {
  /** Such as `delete 1 record of crm.lead`. Empty if the server gives none. */
  wish: string;
  details: string;
}

/** Splits the preview of the server at its message, such as `message: This would delete 1 record of crm.lead.` */
export function parseHeldPreview(preview: string): HeldPreview {
  const [, wish = '', details = ''] = /^message: This would ([^\n]*)\.(?:\n(.*))?$/s.exec(preview) ?? [];
  return wish === '' ? { wish, details: preview } : { wish, details };
}
