/** Folders of the server's source. */
export const SOURCE_FOLDERS = ['apps', 'boot', 'facades', 'schema', 'src'];

/** True for the files that the bundle is built from, except those that set-up generates. */
export const isSource = (path) =>
  /\.(ts|json)$/.test(path) && path !== 'boot/operations.ts' && !path.startsWith('src/db/generated/');
