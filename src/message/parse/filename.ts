const MAX_FILENAME_LENGTH = 255;

/**
 * Makes a file name safe to store and display: removes folders, control characters and bidirectional controls, and
 * limits it to 255 characters including the extension. Null if nothing remains.
 */
export function toSafeFilename(fileName: string): string | null {
  const name = fileName
    .replace(/[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[<>:"|?*]/g, '_')
    .trim()
    .replace(/^\.+/, '')
    .trim();
  if (name === '') return null;
  return name.length > MAX_FILENAME_LENGTH ? truncateName(name) : name;
}

function truncateName(name: string): string {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : '';
  return (name.slice(0, MAX_FILENAME_LENGTH - extension.length) + extension).toWellFormed();
}
