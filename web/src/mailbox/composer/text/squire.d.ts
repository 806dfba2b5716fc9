declare module 'virtual:squire' {
  import type Squire from 'squire-rte';
  /** Creates the editor for a window. */
  export const squireOf: (window: Window) => typeof Squire;
}
