export const escapeLikePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
