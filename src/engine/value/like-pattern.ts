/** Escapes the wildcards of LIKE. */
export const escapeLikePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
